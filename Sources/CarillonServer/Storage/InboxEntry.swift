import CarillonCore

/// One message in a user's inbox.
package struct InboxEntry: Sendable, Hashable {
    /// Grows with every accepted message: where the next page begins.
    package var number: Int64
    package var id: MessageID
    package var acceptedAt: Timestamp
    package var until: Timestamp?
    package var readAt: Timestamp?
    package var revision: Int
    /// The sender's payload.
    package var payload: Payload

    package init(
        number: Int64, id: MessageID, acceptedAt: Timestamp, until: Timestamp?, readAt: Timestamp?, revision: Int,
        payload: Payload
    ) {
        self.number = number
        self.id = id
        self.acceptedAt = acceptedAt
        self.until = until
        self.readAt = readAt
        self.revision = revision
        self.payload = payload
    }
}
