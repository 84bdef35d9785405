import CarillonCore

/// What came of ``Store/markRead(_:user:on:at:)``.
package struct ReadOutcome: Sendable, Hashable {
    /// Messages that were unread before.
    package var marked: Int
    /// What is unread now.
    package var unread: Int
    var events: [TimelineEvent]
}
