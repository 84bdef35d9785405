/// The store's report on itself.
package struct StoreHealth: Sendable, Hashable {
    /// The number of deliveries that were set aside because they cannot be read.
    package var setAside: Int
}
