import CarillonCore
import CarillonMessaging
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

/// The inbox: the messages that the service listed last, and what has happened to them on this phone since.
struct InboxState: Sendable, Hashable, Codable {
    // The names of the stored properties are keys of the file `inbox.json`.

    private(set) var items: [Carillon.InboxItem] = []
    /// Messages that were read here, which the service has not confirmed; oldest first.
    private(set) var pendingReads: [MessageRevision] = []
    /// When the next request about reads may be sent.
    var backoff = RetryState()

    /// The messages that may be seen now, newest first.
    func items(at serviceNow: Timestamp) -> [Carillon.InboxItem] {
        items.filter { !ExpiryGuard.hasExpired(until: $0.lastMoment, at: serviceNow) }
    }

    /// The service has answered: its list replaces this one, except that reads which it does not know of count.
    mutating func fetched(_ answer: InboxAnswer) {
        let readHere = Set(pendingReads)
        items = answer.messages.prefix(AppLimits.inboxMessages).map { message in
            var item = Carillon.InboxItem(message)
            if readHere.contains(MessageRevision(item.id, revision: item.revision)) { item.isRead = true }
            return item
        }
        backoff.succeeded()
    }

    /// The person has read a message.
    ///
    /// - Parameters:
    ///   - id: of the message.
    ///   - revision: the one that the person has seen.
    ///   - isReported: whether the service learns of it in another way.
    mutating func read(_ id: MessageID, revision: Int, isReported: Bool) {
        let read = MessageRevision(id, revision: revision)
        for index in items.indices where items[index].id == id && items[index].revision <= revision {
            items[index].isRead = true
        }
        guard !isReported, !pendingReads.contains(read) else { return }
        pendingReads.append(read)
        if pendingReads.count > AppLimits.pendingReads { pendingReads.removeFirst() }
    }

    /// Removes messages that were recalled, and marks those that were read elsewhere.
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

    /// The reads to send now; none when nothing waits, or when it is too early after a failure.
    func batch(at phoneNow: Timestamp) -> [MessageRevision] {
        backoff.mayTry(at: phoneNow) ? Array(pendingReads.prefix(AppLimits.readsPerBatch)) : []
    }

    /// Removes reads that the service has confirmed, or refused for good.
    mutating func settled(_ read: [MessageRevision]) {
        pendingReads.removeAll { read.contains($0) }
        backoff.succeeded()
    }
}
