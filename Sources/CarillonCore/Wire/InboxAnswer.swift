/// The answer of `GET /v1/devices/{id}/inbox`: the user's messages, newest first, without those recalled or expired.
public struct InboxAnswer: Sendable, Hashable, Codable {
    public var messages: [InboxMessage]
    /// The user's unread messages, on all pages.
    public var unread: Int
    /// Pass it as `?before=` for the next page; absent on the last one.
    public var next: Int64?

    public init(messages: [InboxMessage], unread: Int, next: Int64?) {
        self.messages = messages
        self.unread = unread
        self.next = next
    }
}

/// One message of an inbox.
public struct InboxMessage: Sendable, Hashable, Codable {
    public var id: MessageID
    public var acceptedAt: Timestamp
    public var until: Timestamp?
    /// Absent while it is unread.
    public var readAt: Timestamp?
    /// 1 (and absent), or more when the id was sent again with other content.
    public var revision: Int?
    /// As it was sent.
    public var payload: Payload

    public init(
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
