import CarillonCore

/// The messages and responses that wait for the app's handlers: each stays until its handler has returned.
///
/// Until then, the message or response is saved in the store. If it arrives before its handler is set, or while the app ends, it
/// is passed to the handler at the next launch.
package struct HandOvers: Sendable {
    /// The key of a message or response that waits for the app's handler; keys sort by the time of arrival.
    package typealias Key = String

    /// A message, or the person's response to one.
    package struct Item: StoreValue {
        // The names of the stored properties are keys of the store's files.

        package var identifier: String
        package var messageID: MessageID?
        package var userInfo: [String: JSONValue]
        /// The person's response to a message; `nil` if this item is the message itself.
        package var reaction: MessageReaction.Kind?
        /// Whether the response brings the app to the foreground; such a response waits until the app's screens exist.
        package var opensApp = false
        /// The number of times that the app's handler was called for this message or response; more than 1 if the app ended
        /// during a call.
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

        /// Makes the item that passes a delivered notification to the app's handler.
        init(_ notification: DeliveredNotification) {
            self.init(
                identifier: notification.identifier, messageID: notification.message?.messageID,
                userInfo: notification.userInfo)
        }

        /// The message, read from its payload; `nil` for a notification of another sender.
        var message: PushMessage? {
            var message = PushInterpreter().instructions(for: userInfo).message
            message?.identifier = identifier
            return message
        }

        /// Whether the app's handler was already called ``AppLimits/callsOfHandler`` times, so that it is not called again.
        package var isGivenUp: Bool { callCount >= AppLimits.callsOfHandler }
    }

    var items = TrackedDictionary<Item>()
    /// The number of messages and responses that were added in this process.
    private var addedCount = 0

    package init() {}

    package subscript(key: Key) -> Item? { items[key] }

    /// The keys of all waiting messages and responses, oldest first.
    package var keys: [Key] { items.values.keys.sorted() }

    /// Adds a message or response for the app's handler.
    ///
    /// If now more than ``AppLimits/unheard`` messages wait, drops the oldest message. An equal limit applies to responses.
    ///
    /// - Parameters:
    ///   - item: a message or response that the handler has not received.
    ///   - phoneNow: the phone's time.
    /// - Returns: the key of the message or response.
    package mutating func add(_ item: Item, at phoneNow: Timestamp) -> Key {
        addedCount += 1
        let key = "\(phoneNow.millisecondsSince1970)-\(Self.padded(addedCount))"
        items[key] = item
        let kind = keys.filter { (items[$0]?.reaction == nil) == (item.reaction == nil) }
        for key in kind.dropLast(AppLimits.unheard) { items[key] = nil }
        return key
    }

    /// Counts a handler call that is about to be made for a message or response.
    package mutating func willCall(_ key: Key) { items[key]?.callCount += 1 }

    /// Removes a message or response whose handler has returned, or that is no longer needed.
    package mutating func remove(_ key: Key) { items[key] = nil }

    package mutating func removeAll() { items.removeAll() }

    private static func padded(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 9 - digits.count)) + digits
    }
}

extension HandOvers: Hashable {
    package static func == (left: Self, right: Self) -> Bool { left.items == right.items }
    package func hash(into hasher: inout Hasher) { hasher.combine(items) }
}
