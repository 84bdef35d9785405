import CarillonCore

/// The messages and responses that the app's own code has not dealt with: each stays until its handler has returned.
///
/// They are in the store, so what comes before a handler is set, or while the app ends, is handed over at the next launch.
package struct HandOvers: Sendable {
    /// Identifies an item; keys sort by the time at which the items came.
    package typealias Key = String

    /// A message, or the person's response to one.
    package struct Item: Sendable, Hashable, Codable {
        // The names of the stored properties are keys of the store's files.

        package var identifier: String
        package var messageID: MessageID?
        package var userInfo: [String: JSONValue]
        /// The person's response; `nil` for a message.
        package var reaction: MessageReaction.Kind?
        /// Whether the response brings the app to the foreground, so that it waits for the app's screens.
        package var opensApp = false
        /// How often a handler was called for it: more than once, if the app ended meanwhile.
        package fileprivate(set) var callCount = 0

        package init(
            identifier: String, messageID: MessageID?, userInfo: [String: JSONValue],
            reaction: MessageReaction.Kind? = nil, opensApp: Bool = false
        ) {
            self.identifier = identifier
            self.messageID = messageID
            self.userInfo = userInfo
            self.reaction = reaction
            self.opensApp = opensApp
        }

        /// A notification of the list.
        init(_ notification: DeliveredNotification) {
            self.init(
                identifier: notification.identifier, messageID: notification.message?.messageID,
                userInfo: notification.userInfo)
        }

        /// Whether its handler was called as often as it may be.
        package var isGivenUp: Bool { callCount >= AppLimits.callsOfHandler }
    }

    private var items = TrackedDictionary<Item>()
    /// Items that were added in this process.
    private var addedCount = 0

    package init() {}

    package subscript(key: Key) -> Item? { items[key] }

    /// The keys of all items, oldest first.
    package var keys: [Key] { items.values.keys.sorted() }

    /// Adds an item; beyond ``AppLimits/unheard`` of its kind the oldest is dropped.
    ///
    /// - Parameters:
    ///   - item: not handed over yet.
    ///   - phoneNow: the phone's clock.
    /// - Returns: the key of the item.
    package mutating func add(_ item: Item, at phoneNow: Timestamp) -> Key {
        addedCount += 1
        let key = "\(phoneNow.millisecondsSince1970)-\(Self.padded(addedCount))"
        items[key] = item
        let kind = keys.filter { (items[$0]?.reaction == nil) == (item.reaction == nil) }
        for key in kind.dropLast(AppLimits.unheard) { items[key] = nil }
        return key
    }

    /// A handler is about to be called for an item.
    package mutating func willCall(_ key: Key) { items[key]?.callCount += 1 }

    /// The handler has returned, or the item is of no use any more.
    package mutating func remove(_ key: Key) { items[key] = nil }

    package mutating func removeAll() { items.removeAll() }

    private static func padded(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 9 - digits.count)) + digits
    }

    // MARK: The store

    var hasChanged: Bool { items.hasChanged }

    /// Takes the change that is to be saved; see ``TrackedDictionary/takeChange()``.
    mutating func takeChange() -> TrackedDictionary<Item>.Change? { items.takeChange() }

    /// Repeats a change that was saved.
    mutating func apply(_ change: TrackedDictionary<Item>.Change) { items.apply(change) }

    /// Joins what came while the files could not be read.
    mutating func join(_ change: TrackedDictionary<Item>.Change) {
        for (key, item) in change.values { items[key] = item }
    }
}

extension HandOvers: Codable {
    // The name is a key of the store's files.
    private enum CodingKeys: String, CodingKey { case items }
}

extension HandOvers: Hashable {
    package static func == (left: Self, right: Self) -> Bool { left.items == right.items }
    package func hash(into hasher: inout Hasher) { hasher.combine(items) }
}

extension HandOvers {
    /// The items that wait for the app's own code, oldest first; messages that were recalled or have expired are dropped.
    ///
    /// What the person has read meanwhile is still news to the app.
    package static func waiting(in policy: inout MessagePolicy, at phoneNow: Timestamp) -> [Key] {
        let now = policy.time.now(phoneNow)
        for key in policy.handOvers.keys {
            guard let item = policy.handOvers[key], item.reaction == nil,
                var message = PushInterpreter().instructions(for: item.userInfo).message
            else { continue }
            message.identifier = item.identifier
            let (name, revision) = (message.removalName, message.revision)
            let reason = policy.tombstones.reason(name) ?? .read
            let isRecalled = reason != .read && policy.tombstones.contains(name, revision: revision, at: now)
            if isRecalled || ExpiryGuard.hasExpired(until: message.until, at: now) { policy.handOvers.remove(key) }
        }
        return policy.handOvers.keys
    }
}
