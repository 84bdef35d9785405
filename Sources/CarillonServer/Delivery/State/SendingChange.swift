/// What somebody wants of a message that is under way, or waits.
///
/// None of it takes anything from a phone: a recall does that.
package enum SendingChange: String, Sendable, Hashable, CaseIterable {
    /// Nothing further is sent for now.
    case pause
    /// What was paused goes on.
    case resume
    /// Nothing further is sent at all.
    case cancel

    /// What the timeline says of a push that a cancellation has met before it was sent.
    static let cancellation = "the message was cancelled before it was sent"
}
