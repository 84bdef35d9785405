import CarillonCore

/// One message in a user's inbox.
package struct InboxEntry: Sendable, Hashable {
    /// The message's number, which grows with every accepted message; the next page begins below it.
    var number: Int64
    package var id: MessageID
    var acceptedAt: Timestamp
    /// The time from which it is not shown any more; `nil` for never.
    var until: Timestamp?
    /// The time at which it was read; `nil` while it is unread.
    package var readAt: Timestamp?
    package var revision: Int
    /// The sender's payload.
    package var payload: Payload
}
