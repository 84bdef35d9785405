import CarillonCore

/// The result of one step of taking over an ended sender's leases.
package struct SenderRelease: Sendable, Hashable {
    /// The number of leases that this step ended.
    package var count: Int
    /// Whether the ended sender has no lease left.
    package var isDone: Bool
    package var events: [TimelineEvent]
}
