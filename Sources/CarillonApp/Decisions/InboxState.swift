import CarillonCore

/// A message of the person's, as the inbox lists it: whether or not a notification of it ever arrived.
public struct InboxItem: Sendable, Hashable, Codable, Identifiable {
    public var id: MessageID
    /// 1, or more when the id was sent again with other content.
    public var revision: Int
    /// When the service accepted it.
    public var acceptedAt: Timestamp
    /// Not to be seen after this moment, by the service's clock.
    public var until: Timestamp?
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

    /// Its texts and its link.
    public var message: AppMessage { AppMessage(identifier: id.rawValue, messageID: id, userInfo: userInfo) }
}

/// The person's messages, as the service told them last, and what has happened to them on this phone since.
struct InboxState: Sendable, Hashable, Codable {
    /// Beyond this many the oldest are not kept on the phone.
    static let countLimit = 100
    /// Beyond this many the oldest reading that the service has not heard of is given up.
    static let readLimit = 500
    /// What one request names.
    static let batchLimit = 100

    private(set) var items: [InboxItem] = []
    /// Read here, and not confirmed by the service, oldest first.
    private(set) var unsaid: [MessageRevision] = []
    var backoff = RetryState()

    /// Newest first, without what has expired.
    func items(at serviceNow: Timestamp) -> [InboxItem] {
        items.filter { !ExpiryGuard.hasExpired(until: $0.until, at: serviceNow) }
    }

    /// The service has answered: what it lists is the inbox, apart from what it has not heard of yet.
    mutating func fetched(_ answer: InboxAnswer) {
        let readHere = Set(unsaid)
        items = answer.messages.prefix(Self.countLimit).map { message in
            var item = InboxItem(message)
            if readHere.contains(MessageRevision(item.id, revision: item.revision)) { item.isRead = true }
            return item
        }
        backoff.succeeded()
    }

    /// - Parameters:
    ///   - revision: what the person has seen of it.
    ///   - isSaid: whether the service learns of it in another way.
    mutating func read(_ id: MessageID, revision: Int, isSaid: Bool) {
        let read = MessageRevision(id, revision: revision)
        for index in items.indices where items[index].id == id && items[index].revision <= revision {
            items[index].isRead = true
        }
        guard !isSaid, !unsaid.contains(read) else { return }
        unsaid.append(read)
        if unsaid.count > Self.readLimit { unsaid.removeFirst() }
    }

    /// Takes away what was recalled, and marks what was read elsewhere.
    mutating func withdraw(_ removals: [PushRemoval]) {
        for removal in removals {
            switch removal.reason {
            case .recall: items.removeAll { $0.id == removal.messageID && $0.revision <= removal.revision }
            case .read:
                for index in items.indices
                where items[index].id == removal.messageID && items[index].revision <= removal.revision {
                    items[index].isRead = true
                }
            case .signOut: break
            }
        }
    }

    /// What to say now; empty when there is nothing, or when it is too early after a failure.
    func batch(at phoneNow: Timestamp) -> [MessageRevision] {
        backoff.mayTry(at: phoneNow) ? Array(unsaid.prefix(Self.batchLimit)) : []
    }

    /// The service knows of these; or will never want to.
    mutating func settled(_ read: [MessageRevision]) {
        unsaid.removeAll { read.contains($0) }
        backoff.succeeded()
    }
}
