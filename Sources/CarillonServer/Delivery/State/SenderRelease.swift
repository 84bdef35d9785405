import CarillonCore

/// The result of taking over a sender's leases.
package struct SenderRelease: Sendable, Hashable {
    /// The number of leases that this step ended.
    package var count: Int
    /// Whether the sender has no lease left.
    package var isDone: Bool
    package var events: [TimelineEvent]
}
