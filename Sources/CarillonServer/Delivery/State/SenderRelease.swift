import CarillonCore

/// What came of taking over a sender's leases.
package struct SenderRelease: Sendable, Hashable {
    /// How many leases were ended.
    package var count: Int
    /// Whether the sender has none left.
    package var isDone: Bool
    package var events: [TimelineEvent]
}
