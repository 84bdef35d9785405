import CarillonCore
import Foundation

extension Carillon {
    /// A message as ``Carillon/inbox`` lists it, whether or not a notification of it ever arrived.
    public struct InboxItem: Sendable, Hashable, Codable, Identifiable {
        /// The message's id at the service.
        public var id: MessageID
        /// 1, or more when the id was sent again with other content.
        public var revision: Int
        /// Whether the person has read it, here or on another device.
        public var isRead: Bool
        /// The message as it was sent: `aps` and the sender's own keys.
        public var userInfo: [String: JSONValue]

        // These two have the service's precision, and are keys of the inbox's file as all properties are.
        var accepted: Timestamp
        var lastMoment: Timestamp?

        init(_ message: InboxMessage) {
            id = message.id
            revision = message.revision ?? 1
            accepted = message.acceptedAt
            lastMoment = message.until
            isRead = message.readAt != nil
            userInfo = message.payload.json.objectValue ?? [:]
        }

        /// When the service accepted it, by the service's clock.
        public var acceptedAt: Date { accepted.date }

        /// The last moment at which it may be seen, by the service's clock; `nil` when it does not expire.
        public var until: Date? { lastMoment?.date }

        /// The message in the form that ``Carillon/onMessage`` has, with its texts and its link.
        public var message: Message { Message(identifier: id.rawValue, messageID: id, userInfo: userInfo) }
    }
}
