import CarillonCore

/// What came of ``Store/markRead(_:user:on:at:)``.
package struct ReadOutcome: Sendable, Hashable {
    /// Messages that were unread before.
    package var marked: Int
    /// What is unread now.
    package var unread: Int
    package var events: [TimelineEvent]

    package init(marked: Int, unread: Int, events: [TimelineEvent]) {
        self.marked = marked
        self.unread = unread
        self.events = events
    }
}
