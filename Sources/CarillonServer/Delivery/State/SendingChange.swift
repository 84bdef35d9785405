/// A change to the sending of a message that is under way or waits.
///
/// It removes nothing from a phone: a recall does that.
package enum SendingChange: String, Sendable, Hashable, CaseIterable {
    /// Stop sending for now.
    case pause
    /// Continue a paused message.
    case resume
    /// Stop sending for good.
    case cancel

    /// The timeline's reason for a push that was cancelled before it was sent.
    static let cancellation = "the message was cancelled before it was sent"
}
