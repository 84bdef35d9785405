import CarillonCore

/// The outcome of ``Store/markRead(_:user:on:at:)``.
package struct ReadOutcome: Sendable, Hashable {
    /// The number of messages that were unread before.
    package var marked: Int
    /// The number of messages that are unread now.
    package var unread: Int
    var events: [TimelineEvent]
}
