/// Explains the alerts with which a peer ends a TLS connection
/// ([RFC 8446 §6](https://www.rfc-editor.org/rfc/rfc8446#section-6)).
enum TLSAlert {
    /// BoringSSL's names of alerts, each with the sentence that explains the alert.
    private static let sentences = [
        ("ALERT_CERTIFICATE_EXPIRED", "the other side refuses the client certificate: it has expired; renew it"),
        ("ALERT_CERTIFICATE_REVOKED", "the other side refuses the client certificate: it was revoked; make a new one"),
        ("ALERT_CERTIFICATE_REQUIRED", "the other side wants a client certificate, and got none"),
        ("ALERT_CERTIFICATE_UNKNOWN", "the other side refuses the client certificate, and does not say why"),
        ("ALERT_UNSUPPORTED_CERTIFICATE", "the other side refuses the client certificate: its kind is not supported"),
        ("ALERT_BAD_CERTIFICATE", "the other side refuses the client certificate: it is damaged or not acceptable"),
        ("ALERT_UNKNOWN_CA", "the other side does not trust the authority of the client certificate"),
        ("ALERT_ACCESS_DENIED", "the other side refuses this client"),
        ("ALERT_PROTOCOL_VERSION", "the other side speaks no version of TLS from 1.2 on"),
        ("WRONG_VERSION_NUMBER", "the other side does not speak TLS"),
        ("ALERT_HANDSHAKE_FAILURE", "the other side accepts none of the ciphers that are offered"),
        ("ALERT_INTERNAL_ERROR", "the other side had an error of its own in the TLS handshake"),
    ]

    /// Returns a sentence that explains the TLS error with this description.
    ///
    /// If the error is unknown, the method returns the description itself, without the paths of source files in it.
    static func sentence(of description: String) -> String {
        for (name, sentence) in sentences where description.contains(name) { return sentence }
        return description.replacing(#/\ at /[^ ,;)\]]*/#, with: "")
    }
}
