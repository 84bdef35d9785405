/// An event of a sender's connection.
public struct ConnectionEvent: Sendable, Hashable {
    /// The kinds of events.
    public enum Kind: Sendable, Hashable {
        /// The TLS handshake is complete.
        case opened(hasClientCertificate: Bool)
        /// GOAWAY was sent with this reason in its debug data; `nil` for none.
        case goAway(RejectionReason?)
        /// The connection was closed by either side.
        case closed
        /// The sender broke a rule of TLS or HTTP/2; the text says which rule.
        ///
        /// If a connection is cut without such a violation, the event is ``closed``.
        case violation(String)
    }

    /// The connection's number, counted from 1.
    public let connection: Int
    /// The kind of this event.
    public let kind: Kind
}
