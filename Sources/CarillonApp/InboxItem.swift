import CarillonCore

/// A message as ``Carillon/inbox`` lists it, whether or not a notification of it ever arrived.
public struct InboxItem: Sendable, Hashable, Codable, Identifiable {
    /// The message's id at the service.
    public var id: MessageID
    /// 1, or more when the id was sent again with other content.
    public var revision: Int
    /// When the service accepted it, by the service's clock.
    public var acceptedAt: Timestamp
    /// The last moment at which it may be seen, by the service's clock; `nil` when it does not expire.
    public var until: Timestamp?
    /// Whether the person has read it, here or on another device.
    public var isRead: Bool
    /// The message as it was sent: `aps` and the sender's own keys.
    public var userInfo: [String: JSONValue]

    init(_ message: InboxMessage) {
        id = message.id
        revision = message.revision ?? 1
        acceptedAt = message.acceptedAt
        until = message.until
        isRead = message.readAt != nil
        userInfo = message.payload.json.objectValue ?? [:]
    }

    /// The message in the form that ``Carillon/onMessage`` has, with its texts and its link.
    public var message: AppMessage { AppMessage(identifier: id.rawValue, messageID: id, userInfo: userInfo) }
}
