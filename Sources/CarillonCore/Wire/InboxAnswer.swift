/// The answer of `GET /v1/devices/{id}/inbox`: the user's messages, newest first, except recalled or expired ones.
package struct InboxAnswer: Sendable, Hashable, Codable {
    /// One page of the messages.
    package var messages: [InboxMessage]
    /// The number of the user's unread messages, on all pages.
    package var unread: Int
    /// The value of `?before=` for the next page, the id of the page's last message; absent on the last page.
    package var next: String?

    /// Makes one page of an inbox.
    package init(messages: [InboxMessage], unread: Int, next: String?) {
        self.messages = messages
        self.unread = unread
        self.next = next
    }
}

/// One message of an inbox.
package struct InboxMessage: Sendable, Hashable, Codable {
    /// The message's id.
    package var id: MessageID
    /// The time at which the service accepted the message.
    package var acceptedAt: Timestamp
    /// The last moment at which the message may be shown; absent if the message does not expire.
    package var until: Timestamp?
    /// The time at which the person read the message; absent while the message is unread.
    package var readAt: Timestamp?
    /// The revision, higher than 1 if the id was sent again with other content; absent for revision 1.
    package var revision: Int?
    /// The payload, as it was sent.
    package var payload: Payload

    /// Makes a message; its revision is 1 by default.
    package init(
        id: MessageID, acceptedAt: Timestamp, until: Timestamp?, readAt: Timestamp?, payload: Payload, revision: Int = 1
    ) {
        self.id = id
        self.revision = revision > 1 ? revision : nil
        self.acceptedAt = acceptedAt
        self.until = until
        self.readAt = readAt
        self.payload = payload
    }

    enum CodingKeys: String, CodingKey {
        case id, until, payload, revision
        case acceptedAt = "accepted_at"
        case readAt = "read_at"
    }
}
