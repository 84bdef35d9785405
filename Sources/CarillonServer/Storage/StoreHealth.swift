/// What a store says of itself.
package struct StoreHealth: Sendable, Hashable {
    /// Deliveries that were set aside because they cannot be read.
    package var setAside: Int
}
