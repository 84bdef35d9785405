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
        /// The newest that was met: everything here is about this one.
        public var revision = 1
        /// Whether the screen was given it, or was about to be: it may have alerted the person.
        public var mayHaveAlerted = false
        /// Which attempt at it was on the screen first.
        var shownByAttempt: Int?
        /// As of when it stood in the list.
        var delivered: Timestamp?
        /// Which attempt was shown without banner and sound.
        var quietAttempt: Int?
        /// Whether the foreground app has let it through with everything.
        var wasPresented = false
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

    /// Notes that the message was met. A newer revision is a new message under the same identifier.
    ///
    /// - Returns: whether this revision, or a newer one, was known before.
    @discardableResult
    public mutating func meet(_ message: PushMessage, at serviceNow: Timestamp) -> Bool {
        let fresh = Entry(messageID: message.messageID, firstSeen: serviceNow, revision: message.revision)
        let known = entries[message.identifier]
        let isKnown = known.map { $0.revision >= message.revision } ?? false
        var entry = isKnown ? known ?? fresh : fresh
        if entry.revision == message.revision { entry.until = message.until ?? entry.until }
        entries[message.identifier] = entry
        forgetOldest()
        return isKnown
    }

    /// - Returns: whether this is the first time that `event` is claimed; actions and second showings count one by one.
    public mutating func claim(_ event: ReceiptEvent, of identifier: String, detail: String? = nil) -> Bool {
        let isOneOfSeveral = event == .acted || detail == Receipt.shownAgain
        let text = isOneOfSeveral ? "\(event.rawValue):\(detail ?? "")" : event.rawValue
        guard var entry = entries[identifier], entry.claimed.insert(text).inserted else { return false }
        entry.claimed.insert(event.rawValue)
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

    /// The screen is given the message, or was not after all.
    public mutating func handedToScreen(_ identifier: String, _ isHanded: Bool = true) {
        entries[identifier]?.mayHaveAlerted = isHanded
    }

    mutating func presented(_ identifier: String) { entries[identifier]?.wasPresented = true }

    /// That attempt at the message is shown without banner and sound.
    mutating func quietened(_ identifier: String, attempt: Int) { entries[identifier]?.quietAttempt = attempt }

    /// An attempt at the message was seen on the screen.
    ///
    /// - Returns: whether it has alerted the person again. iOS reports one showing in several ways; those have one attempt.
    mutating func wasShown(_ identifier: String, attempt: Int, delivered: Timestamp?) -> Bool {
        guard var entry = entries[identifier] else { return false }
        entry.mayHaveAlerted = true
        let first = entry.shownByAttempt ?? attempt
        entry.shownByAttempt = min(first, attempt)
        let isDoubled = delivered.flatMap { moment in entry.delivered.map { $0 != moment } } ?? false
        entry.delivered = delivered ?? entry.delivered
        entries[identifier] = entry
        return (first != attempt || isDoubled) && entry.quietAttempt != attempt
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
