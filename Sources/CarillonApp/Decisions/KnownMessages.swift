import CarillonCore

/// The messages that this installation has seen, and what it has said about each.
public struct KnownMessages: Sendable, Hashable, Codable {
    /// Beyond this many the one that was met first is forgotten.
    public static let countLimit = 500

    public struct Entry: Sendable, Hashable, Codable {
        /// The id for receipts; `nil` for a message of another service.
        public var messageID: MessageID?
        public var firstSeen: Timestamp
        public var until: Timestamp?
        /// What was claimed already: never claimed twice.
        var claimed: Set<String> = []
        /// Whether the app's own code has been told of it.
        var reachedApp = false

        public func hasClaimed(_ event: ReceiptEvent) -> Bool { claimed.contains(event.rawValue) }
    }

    private var entries: [String: Entry] = [:]

    public init() {}

    public subscript(identifier: String) -> Entry? { entries[identifier] }
    public var count: Int { entries.count }

    /// Notes that the message was met.
    ///
    /// - Returns: whether it was known before.
    @discardableResult
    public mutating func meet(_ message: PushMessage, at serviceNow: Timestamp) -> Bool {
        let isKnown = entries[message.identifier] != nil
        var entry = entries[message.identifier] ?? Entry(messageID: message.messageID, firstSeen: serviceNow)
        entry.until = message.until ?? entry.until
        entries[message.identifier] = entry
        forgetOldest()
        return isKnown
    }

    /// - Returns: whether this is the first time that `event` (with this `detail`) is claimed.
    public mutating func claim(_ event: ReceiptEvent, of identifier: String, detail: String? = nil) -> Bool {
        let text = [event.rawValue, detail].compactMap { $0 }.joined(separator: ":")
        guard var entry = entries[identifier], entry.claimed.insert(text).inserted else { return false }
        if detail != nil { entry.claimed.insert(event.rawValue) }
        entries[identifier] = entry
        return true
    }

    /// - Returns: whether the app hears of the message for the first time.
    public mutating func reachesApp(_ identifier: String) -> Bool {
        guard var entry = entries[identifier], !entry.reachedApp else { return false }
        entry.reachedApp = true
        entries[identifier] = entry
        return true
    }

    /// A sender uses the identifier for a new message.
    public mutating func forget(_ identifier: String) { entries[identifier] = nil }

    /// The identifiers whose time has passed, in no particular order.
    public func expired(at serviceNow: Timestamp) -> [String] {
        entries.filter { ExpiryGuard.hasExpired(until: $0.value.until, at: serviceNow) }.map(\.key)
    }

    private mutating func forgetOldest() {
        while entries.count > Self.countLimit,
            let oldest = entries.min(by: { ($0.value.firstSeen, $0.key) < ($1.value.firstSeen, $1.key) })
        {
            entries[oldest.key] = nil
        }
    }
}
