/// What proves that an installation holds a device token which another has registered: a nonce that came by push to that
/// very token.
///
/// It travels in ``CarillonKey`` of a background push, and back in `POST /v1/devices/{id}/token`.
package struct TokenClaim: Sendable, Hashable, Codable {
    /// The installation that claims the token; any other ignores the push.
    package var installation: String
    /// What is to be returned.
    package var nonce: String

    package init(installation: String, nonce: String) {
        self.installation = installation
        self.nonce = nonce
    }

    /// Reads the value of the key's member; `nil` when it is no claim.
    package init?(json: JSONValue) {
        guard let installation = json["installation"]?.stringValue, let nonce = json["nonce"]?.stringValue else {
            return nil
        }
        self.init(installation: installation, nonce: nonce)
    }

    /// The value of the key's member.
    package var json: JSONValue { ["installation": .string(installation), "nonce": .string(nonce)] }
}
