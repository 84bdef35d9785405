/// The state of a store that answers calls.
package struct StoreHealth: Sendable, Hashable {
    /// The number of rows that were set aside, and so are not processed, because they cannot be decoded.
    ///
    /// The rows are deliveries, tasks, messages sent as ranges of devices (``RangeRules``), and chunks (``RangeChunk``).
    package var setAside: Int
}

/// A delivery that is not sent because it cannot be decoded.
package struct SetAsideDelivery: Sendable, Hashable {
    package var number: Int64
    /// The message's id; `nil` if it is unknown.
    package var message: String?
    package var device: String
    /// A description of the column that cannot be decoded.
    package var problem: String
}
