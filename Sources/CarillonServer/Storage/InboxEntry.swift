import CarillonCore

/// One message in a user's inbox.
package struct InboxEntry: Sendable, Hashable {
    /// Grows with every accepted message: where the next page begins.
    var number: Int64
    package var id: MessageID
    var acceptedAt: Timestamp
    var until: Timestamp?
    package var readAt: Timestamp?
    package var revision: Int
    /// The sender's payload.
    package var payload: Payload
}
