import CarillonCore

/// An entry of the simulator's journal.
public struct SimulatorEvent: Sendable {
    /// Counted from 1, without gaps.
    public let number: Int
    /// The simulator's time.
    public let at: Timestamp
    public let kind: Kind

    /// What the entry is about.
    public enum Kind: Sendable {
        case request(RequestRecord)
        case device(DeviceEvent)
        case connection(ConnectionEvent)
    }

    public var request: RequestRecord? { if case .request(let record) = kind { record } else { nil } }
    public var device: DeviceEvent? { if case .device(let event) = kind { event } else { nil } }
    public var connection: ConnectionEvent? { if case .connection(let event) = kind { event } else { nil } }
}

/// The coming and going of senders.
public struct ConnectionEvent: Sendable, Hashable {
    /// What happened.
    public enum Kind: Sendable, Hashable {
        /// The TLS handshake is done.
        case opened(hasClientCertificate: Bool)
        /// GOAWAY was sent, with this reason in its debug data.
        case goAway(RejectionReason?)
        case closed
        /// The sender broke a rule of TLS or HTTP/2; the text says which.
        case violation(String)
    }

    /// The connection's number, counted from 1.
    public let connection: Int
    public let kind: Kind
}
