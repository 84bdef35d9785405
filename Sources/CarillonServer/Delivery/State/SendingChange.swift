/// A change to the sending of a message: a pause, its end, or a cancellation.
///
/// Such a change removes nothing from a phone; a recall does.
package enum SendingChange: String, Sendable, Hashable, CaseIterable {
    /// Stops sending the message until ``resume``.
    case pause
    /// Continues to send a paused message.
    case resume
    /// Stops sending the message for good.
    case cancel

    /// The timeline's reason for a push that was cancelled before it was sent.
    static let cancellation = "the message was cancelled before it was sent"
}
