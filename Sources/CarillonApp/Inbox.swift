import CarillonCore
import CarillonMessaging
import Foundation

extension Carillon {
    /// A message in ``Carillon/inbox``, whether or not a notification of it ever arrived.
    public struct InboxItem: Sendable, Hashable, Codable, Identifiable {
        /// The message's id at the service.
        public var id: MessageID
        /// The message's revision: 1, or higher if the id was sent again with other content.
        public var revision: Int
        /// Whether the person has read the message, here or on another device.
        public var isRead: Bool
        /// The payload as it was sent: `aps` and the sender's own keys.
        public var userInfo: [String: JSONValue]

        // Both times have the service's precision. Like all stored properties, they are keys of the inbox's file.
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

        /// The time when the service accepted the message, by the service's clock.
        public var acceptedAt: Date { accepted.date }

        /// The last moment at which the message may be visible, by the service's clock; `nil` if the message does not expire.
        public var until: Date? { lastMoment?.date }

        /// The inbox item as a ``Carillon/Message``, for code that shows a message's `title`, `body` and `link`.
        public var message: Message { Message(identifier: id.rawValue, messageID: id, userInfo: userInfo) }
    }
}

/// The inbox: the service's last list of messages, updated with what was read or removed on this phone since.
struct InboxState: Sendable, Hashable, Codable {
    // The names of the stored properties are keys of the file `inbox.json`.

    private(set) var items: [Carillon.InboxItem] = []
    /// The user whose messages these are; `nil` before the first sign-in.
    private(set) var user: String?
    /// The lane of the reports about messages that were read on this phone.
    var reads = ReadLane()
    /// The lane of the request for the messages.
    var fetch = FetchLane()

    /// The messages that were read on this phone, oldest first; each stays until the service confirms that it was read.
    var pendingReads: [MessageRevision] { reads.pending }

    /// Returns the messages that have not expired at `serviceNow`, newest first.
    func items(at serviceNow: Timestamp) -> [Carillon.InboxItem] {
        items.filter { !ExpiryGuard.hasExpired(until: $0.lastMoment, at: serviceNow) }
    }

    /// Records whose inbox this is, and empties it if it was another user's.
    ///
    /// - Returns: whether this is not the user of the call before.
    mutating func assign(to user: String) -> Bool {
        guard user != self.user else { return false }
        if self.user != nil { self = InboxState() }
        self.user = user
        return true
    }

    /// Replaces the list with the service's answer.
    ///
    /// Messages that were read on this phone stay read, even if the service does not know it yet.
    mutating func fetched(_ answer: InboxAnswer) {
        let readHere = Set(pendingReads)
        items = answer.messages.prefix(AppLimits.inboxMessages).map { message in
            var item = Carillon.InboxItem(message)
            if readHere.contains(MessageRevision(item.id, revision: item.revision)) { item.isRead = true }
            return item
        }
        fetch.answered()
    }

    /// Marks a message as read, and queues a report to the service if it is needed.
    ///
    /// - Parameters:
    ///   - id: the message's id.
    ///   - revision: the newest revision that the person has seen.
    ///   - isReported: whether a receipt already tells the service that the message is read; if so, this method queues no report.
    mutating func read(_ id: MessageID, revision: Int, isReported: Bool) {
        let read = MessageRevision(id, revision: revision)
        for index in items.indices where items[index].id == id && items[index].revision <= revision {
            items[index].isRead = true
        }
        if !isReported { reads.add(read) }
    }

    /// Removes messages that were recalled or have expired, and marks messages as read that were read elsewhere.
    mutating func withdraw(_ removals: [PushRemoval]) {
        for removal in removals {
            switch removal.reason {
            case .recall, .replaced, .expired:
                items.removeAll { $0.id == removal.messageID && $0.revision <= removal.revision }
            case .read:
                for index in items.indices
                where items[index].id == removal.messageID && items[index].revision <= removal.revision {
                    items[index].isRead = true
                }
            case .signOut: break
            }
        }
    }
}

extension InboxState: StoredInbox {
    func showsSame(as other: InboxState) -> Bool { items == other.items }

    mutating func join(_ meanwhile: InboxState) {
        for item in meanwhile.pendingReads { read(item.message, revision: item.revision, isReported: false) }
    }
}

/// The SDK's state in the app.
typealias CarillonStore = AppStore<InboxState>
