/// A door that the simulator opens for senders which Apple's servers would turn away.
///
/// No door is open by default. As long as one is open, the header `carillon-doors` of every answer names it, so that no test passes
/// through a door unnoticed.
public enum SimulatorDoor: String, Sendable, Hashable, CaseIterable, Codable {
    /// An unknown, well-formed device token becomes the token of a new device, which is online, when the first push to it comes.
    ///
    /// The id of the new device is the token in hexadecimal. Without this door, an unknown token is BadDeviceToken.
    case anyToken = "any-token"
    /// Requests are taken without TLS, as HTTP/2 with prior knowledge
    /// ([RFC 9113 §3.3](https://www.rfc-editor.org/rfc/rfc9113#section-3.3)), and only so.
    ///
    /// HTTP/1.1 is answered 505, because APNs does not speak it. Senders then have no client certificate.
    case cleartext
    /// A push of the type `mdm` may have any topic, and may come with a provider token.
    ///
    /// Without this door, it needs a certificate whose UID is the topic.
    case mdm
    /// The signing key and the certificate authority are those of ``SimulatorCredentials/wellKnown``, on every machine.
    ///
    /// A sender's tests can then contain them as files. Everybody knows the private keys: trust this authority in tests only.
    case wellKnown = "well-known"

    /// The name of the header that names the open doors in every answer, separated by commas.
    public static let headerName = "carillon-doors"
}

extension Set<SimulatorDoor> {
    /// The header that names the open doors; `nil` if no door is open.
    var header: RequestRecord.Header? {
        isEmpty
            ? nil
            : RequestRecord.Header(
                name: SimulatorDoor.headerName, value: map(\.rawValue).sorted().joined(separator: ", "))
    }
}
