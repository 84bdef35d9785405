import CarillonCore

/// An entry of the simulator's journal.
public struct SimulatorEvent: Sendable {
    /// The entry's number, counted from 1 without gaps.
    public let number: Int
    /// The time of the entry, by the simulator's clock.
    public let at: Timestamp
    /// The kind of the entry.
    public let kind: Kind

    /// The kinds of entries.
    public enum Kind: Sendable {
        /// A sender's request, with the simulator's answer or the failure (``Fault``) that the simulator injected on purpose.
        case request(RequestRecord)
        /// An event of a device, or of a push for it.
        case device(DeviceEvent)
        /// An event of a sender's connection.
        case connection(ConnectionEvent)
    }

    /// The request; `nil` for other kinds of entries.
    public var request: RequestRecord? { if case .request(let record) = kind { record } else { nil } }
    /// The device's event; `nil` for other kinds of entries.
    public var device: DeviceEvent? { if case .device(let event) = kind { event } else { nil } }
    /// The connection's event; `nil` for other kinds of entries.
    public var connection: ConnectionEvent? { if case .connection(let event) = kind { event } else { nil } }
}
