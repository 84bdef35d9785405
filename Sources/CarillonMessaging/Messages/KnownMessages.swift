import CarillonCore

/// The messages that this installation has received, and the receipts that it has written about each message.
package struct KnownMessages: Sendable, Hashable {
    /// The facts about one message.
    package struct Entry: StoreValue {
        // The names of the stored properties are keys of the store's files.

        /// The message's id for receipts; `nil` for a message that another push provider sent.
        package var messageID: MessageID?
        /// The time when the SDK first learnt of the message, by the service's clock.
        var firstSeen: Timestamp
        /// The last moment at which the message may be seen, by the service's clock; `nil` if it does not expire.
        var until: Timestamp?
        /// The number of the newest received version of the message (its revision); all other properties are about this version.
        package var revision = 1
        /// Whether the person may have been alerted: the SDK has passed the notification to iOS, or was about to pass it.
        var mayHaveAlerted = false
        /// The lowest attempt number among the deliveries of this message in Notification Center; `nil` if none was found there.
        var shownByAttempt: Int?
        /// The date of the newest notification of this message in Notification Center that alerted the person; `nil` if none is
        /// known.
        package var delivered: Timestamp?
        /// The number of the delivery attempt that was shown without banner and sound; `nil` if there is no such attempt.
        var quietAttempt: Int?
        /// Whether the SDK has let iOS show the notification in the foreground, with all presentation options that the app has
        /// chosen.
        var wasPresented = false
        /// The kinds of receipts that were already written, so that no receipt is written twice.
        ///
        /// The set has the name of each event (``ReceiptEvent``) about which a receipt was written. An event may have several
        /// receipts, such as one for each chosen action. Each of them also adds an element `<event>:<detail>`, such as
        /// `acted:reply`.
        var claimed: Set<String> = []
        /// Whether the app's own code has received the message.
        var reachedApp = false

        func hasClaimed(_ event: ReceiptEvent) -> Bool { claimed.contains(event.rawValue) }
    }

    var entries = TrackedDictionary<Entry>()

    package init() {}

    package subscript(identifier: String) -> Entry? { entries[identifier] }
    package var count: Int { entries.count }

    /// Records a received message; the facts about a newer version (revision) replace the facts about an older one.
    ///
    /// - Parameters:
    ///   - message: the message as received.
    ///   - serviceNow: the service's time.
    /// - Returns: whether this version of the message, or a newer one, was known before.
    @discardableResult
    mutating func record(_ message: PushMessage, at serviceNow: Timestamp) -> Bool {
        let fresh = Entry(messageID: message.messageID, firstSeen: serviceNow, revision: message.revision)
        let known = entries[message.identifier]
        let isKnown = known.map { $0.revision >= message.revision } ?? false
        var entry = isKnown ? known ?? fresh : fresh
        if entry.revision == message.revision { entry.until = message.until ?? entry.until }
        entries[message.identifier] = entry
        forgetOldest()
        return isKnown
    }

    /// Records that a receipt of a message is being written, so that it is written only once.
    ///
    /// - Parameters:
    ///   - event: the receipt's event.
    ///   - identifier: the message's identifier.
    ///   - detail: distinguishes several receipts of one event: the chosen action, or ``Receipt/shownAgain`` for a second alert.
    /// - Returns: whether the receipt must be written; `false` if it was recorded before, or if the message is unknown.
    mutating func claim(_ event: ReceiptEvent, of identifier: String, detail: String? = nil) -> Bool {
        let isOneOfSeveral = event == .acted || detail == Receipt.shownAgain
        let text = isOneOfSeveral ? "\(event.rawValue):\(detail ?? "")" : event.rawValue
        guard var entry = entries[identifier], entry.claimed.insert(text).inserted else { return false }
        entry.claimed.insert(event.rawValue)
        entries[identifier] = entry
        return true
    }

    /// Records that the app's own code receives the message.
    ///
    /// - Parameters:
    ///   - identifier: the message's identifier.
    ///   - revision: the version that the app would receive; `nil` if it is not known.
    /// - Returns: whether the app receives the message for the first time; `false` for an older version than the known one.
    mutating func markReachedApp(_ identifier: String, revision: Int?) -> Bool {
        guard var entry = entries[identifier], !entry.reachedApp, revision ?? entry.revision >= entry.revision else {
            return false
        }
        entry.reachedApp = true
        entries[identifier] = entry
        return true
    }

    /// Records that the message's notification is passed to iOS, or, with `false`, that iOS has refused the notification.
    mutating func handedToSystem(_ identifier: String, _ isHanded: Bool = true) {
        entries[identifier]?.mayHaveAlerted = isHanded
    }

    /// Records that iOS may show the message's notification in the foreground, with all presentation options that the app has
    /// chosen.
    ///
    /// Do not call this method for a repeated delivery, which appears only in Notification Center; call
    /// ``quietened(_:attempt:)``.
    mutating func presented(_ identifier: String) { entries[identifier]?.wasPresented = true }

    /// Records that a delivery attempt of the message is shown without banner and sound.
    mutating func quietened(_ identifier: String, attempt: Int) { entries[identifier]?.quietAttempt = attempt }

    /// Records that a delivery attempt of the message was found in Notification Center.
    ///
    /// - Parameters:
    ///   - identifier: the message's identifier.
    ///   - attempt: the number of the delivery attempt, from the push.
    ///   - delivered: the notification's date; `nil` if it is unknown, or if the notification was delivered without banner and
    ///     sound.
    /// - Returns: whether the person was alerted more than once: the attempt's number or the notification's date differs from the
    ///   recorded one. The result is `false` if this attempt was shown without banner and sound.
    mutating func markShown(_ identifier: String, attempt: Int, delivered: Timestamp?) -> Bool {
        guard var entry = entries[identifier] else { return false }
        entry.mayHaveAlerted = true
        let first = entry.shownByAttempt ?? attempt
        entry.shownByAttempt = min(first, attempt)
        let isDoubled = delivered.flatMap { moment in entry.delivered.map { $0 != moment } } ?? false
        entry.delivered = delivered ?? entry.delivered
        entries[identifier] = entry
        return (first != attempt || isDoubled) && entry.quietAttempt != attempt
    }

    package mutating func removeAll() { entries.removeAll() }

    /// Forgets a message.
    ///
    /// Call it for a message that another push provider sent, because that provider may use the identifier again.
    mutating func forget(_ identifier: String) { entries[identifier] = nil }

    /// Forgets the oldest messages beyond ``AppLimits/knownMessages``.
    mutating func forgetOldest() {
        while entries.count > AppLimits.knownMessages,
            let oldest = entries.values.min(by: { ($0.value.firstSeen, $0.key) < ($1.value.firstSeen, $1.key) })
        {
            entries[oldest.key] = nil
        }
    }
}

extension KnownMessages.Entry {
    /// Merges two entries about one message; if their revisions differ, returns the entry of the newer revision.
    func joined(_ other: Self) -> Self {
        guard revision == other.revision else { return revision > other.revision ? self : other }
        var joined = self
        joined.messageID = messageID ?? other.messageID
        joined.firstSeen = min(firstSeen, other.firstSeen)
        joined.until = [until, other.until].compactMap(\.self).max()
        joined.mayHaveAlerted = mayHaveAlerted || other.mayHaveAlerted
        joined.shownByAttempt = [shownByAttempt, other.shownByAttempt].compactMap(\.self).min()
        joined.delivered = [delivered, other.delivered].compactMap(\.self).max()
        joined.quietAttempt = [quietAttempt, other.quietAttempt].compactMap(\.self).max()
        joined.wasPresented = wasPresented || other.wasPresented
        joined.claimed = claimed.union(other.claimed)
        joined.reachedApp = reachedApp || other.reachedApp
        return joined
    }
}
