/// What happened to the connection of a sender.
public struct ConnectionEvent: Sendable, Hashable {
    /// What happened.
    public enum Kind: Sendable, Hashable {
        /// The TLS handshake is done.
        case opened(hasClientCertificate: Bool)
        /// GOAWAY was sent, with this reason in its debug data.
        case goAway(RejectionReason?)
        /// It is closed, by either side.
        case closed
        /// The sender broke a rule of TLS or HTTP/2; the text says which. A connection that was only cut is ``closed``.
        case violation(String)
    }

    /// The connection's number, counted from 1.
    public let connection: Int
    /// What happened.
    public let kind: Kind
}
