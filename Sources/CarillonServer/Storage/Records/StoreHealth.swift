/// The store's report on itself.
package struct StoreHealth: Sendable, Hashable {
    /// The number of deliveries that were set aside because they cannot be read.
    package var setAside: Int
}

/// A delivery that is not sent because it cannot be read.
package struct SetAsideDelivery: Sendable, Hashable {
    package var number: Int64
    /// The message's id, if it is known.
    package var message: String?
    package var device: String
    /// A description of the unreadable column.
    package var problem: String
}
