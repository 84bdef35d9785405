/// The state of a store that answers.
package struct StoreHealth: Sendable, Hashable {
    /// The number of rows (deliveries, tasks, messages sent by ranges, and chunks) that were set aside because they cannot be
    /// decoded.
    package var setAside: Int
}

/// A delivery that is not sent because it cannot be decoded.
package struct SetAsideDelivery: Sendable, Hashable {
    package var number: Int64
    /// The message's id; `nil` if it is unknown.
    package var message: String?
    package var device: String
    /// A description of the unreadable column.
    package var problem: String
}
