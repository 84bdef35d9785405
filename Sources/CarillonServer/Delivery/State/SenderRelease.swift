import CarillonCore

/// The result of one step in which a sender takes over the leases of a sender that has ended.
package struct SenderRelease: Sendable, Hashable {
    /// The number of leases that this step ended.
    package var count: Int
    /// Whether the ended sender has no lease left.
    package var isDone: Bool
}
