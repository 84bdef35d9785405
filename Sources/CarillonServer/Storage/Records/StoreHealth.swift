/// The health of a store whose database answers.
package struct StoreHealth: Sendable, Hashable {
    /// The number of rows that are set aside: they cannot be decoded, so the service skips them until an operator acts.
    ///
    /// The rows are deliveries, tasks (``StepwiseWork``), messages whose deliveries are kept as bitmaps, a bit for each device
    /// (``RangeRules``), and chunks (``RangeChunk``).
    package var setAside: Int
}

/// A delivery that is not sent because it cannot be decoded.
package struct SetAsideDelivery: Sendable, Hashable {
    package var number: Int64
    /// The message's id; `nil` if it is unknown.
    package var message: String?
    package var device: String
    /// The error with which the decoding failed, as text; it usually names the damaged column.
    package var problem: String
}
