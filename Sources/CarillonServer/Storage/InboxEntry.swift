import CarillonCore

/// One message in a user's inbox.
package struct InboxEntry: Sendable, Hashable {
    /// Grows with every accepted message: where the next page begins.
    var number: Int64
    package var id: MessageID
    var acceptedAt: Timestamp
    /// From when on it is not shown any more; `nil` for never.
    var until: Timestamp?
    /// `nil` while it is unread.
    package var readAt: Timestamp?
    package var revision: Int
    /// The sender's payload.
    package var payload: Payload
}
