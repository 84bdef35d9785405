/// A nonce that an installation returns to prove that it holds a device token registered by another installation.
///
/// The service pushes the nonce to that token, in the ``CarillonKey`` of a background push. The installation returns it in
/// `POST /v1/devices/{id}/token`.
package struct TokenClaim: Sendable, Hashable, Codable {
    /// The installation that claims the token; other installations ignore the push.
    package var installation: String
    /// The nonce to return.
    package var nonce: String

    package init(installation: String, nonce: String) {
        self.installation = installation
        self.nonce = nonce
    }

    /// Reads a token claim from its JSON; returns `nil` if the JSON does not have an installation and a nonce.
    package init?(json: JSONValue) {
        guard let installation = json["installation"]?.stringValue, let nonce = json["nonce"]?.stringValue else {
            return nil
        }
        self.init(installation: installation, nonce: nonce)
    }

    /// The installation and the nonce as a JSON object.
    package var json: JSONValue { ["installation": .string(installation), "nonce": .string(nonce)] }
}
