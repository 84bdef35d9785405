import CarillonCore

/// Everything that decides about messages on this phone, as one value: what may be shown, what must go, and what can
/// honestly be said about it. The app and its service extension share it through the store.
///
/// Every verb takes the phone's clock; decisions are made on the service's (``ServiceTime``).
public struct MessageDesk: Sendable, Hashable, Codable {
    /// What to do with a message that has just arrived.
    public enum Arrival: Sendable, Hashable {
        /// Make this notification, then call ``MessageDesk/wasShown(_:at:)``.
        case show(LocalNotification)
        /// iOS shows it; look for it in the delivered list.
        case shownBySystem
        /// It belongs inside the app, or there is nothing to show.
        case handOver
        /// It may not be seen: it must leave the screen, should iOS have put it there.
        case veto(Veto)
        /// A second delivery of what the person has had already.
        case repeated
    }

    public enum Veto: Sendable, Hashable {
        case recalled
        case expired
        /// The person has signed out, and the service may not know it yet.
        case signedOut
    }

    public var time = ServiceTime()
    public var badge = BadgeNews()
    public private(set) var tombstones = Tombstones()
    public private(set) var known = KnownMessages()
    public var receipts: ReceiptQueue
    private var unnamed = UnnamedArrivals()
    /// What was composed before this moment, by the service's clock, may have been meant for whoever was signed in.
    private var signedOutAt: Timestamp?
    /// Whether receipts are written at all; a person may object to them.
    public var writesReceipts = true

    /// - Parameter receiptPrefix: random; see ``ReceiptQueue/prefix``.
    public init(receiptPrefix: String) { receipts = ReceiptQueue(prefix: receiptPrefix) }

    // MARK: Arrivals

    public mutating func arrived(
        _ message: PushMessage, composedAt: Timestamp?, signedOut: Bool = false, at phoneNow: Timestamp
    ) -> Arrival {
        if let composedAt { time.heardComposed(composedAt) }
        let now = time.now(phoneNow)
        let wasShown = known[message.identifier]?.hasClaimed(.shown) ?? false
        let wasKnown = known.meet(message, at: now)
        if signedOut || isFromBeforeSignOut(composedAt) { return .veto(.signedOut) }
        if tombstones.contains(message.identifier, at: now) {
            // Another sender's ids are short numbers that come round again: one tombstone stops one message.
            if message.messageID == nil { tombstones.exhume(message.identifier) }
            return .veto(.recalled)
        }
        if ExpiryGuard.hasExpired(until: message.until, at: now) { return .veto(.expired) }
        switch message.presentation {
        case .bySystem: return .shownBySystem
        case .inApp, .nothing: return .handOver
        case .local(let notification):
            guard wasKnown, message.attempt >= 2 else { return .show(notification) }
            return wasShown ? .repeated : .show(notification.quietened())
        }
    }

    private func isFromBeforeSignOut(_ composedAt: Timestamp?) -> Bool {
        guard let composedAt, let signedOutAt else { return false }
        return composedAt < signedOutAt
    }

    /// What the service extension does with an alert that iOS is about to show.
    public enum Treatment: Sendable, Hashable {
        case asItIs
        /// A second delivery: without banner and sound.
        case quiet
        case withhold(Veto)
    }

    /// An alert push has reached the service extension, before it is shown.
    public mutating func aboutToShow(
        _ message: PushMessage, composedAt: Timestamp?, signedOut: Bool, at phoneNow: Timestamp
    ) -> Treatment {
        let wasKnown = known[message.identifier] != nil
        let arrival = arrived(message, composedAt: composedAt, signedOut: signedOut, at: phoneNow)
        if case .veto(let veto) = arrival { return .withhold(veto) }
        return wasKnown && message.attempt >= 2 ? .quiet : .asItIs
    }

    /// Whether the message may (still) be on the screen; asked again after every wait.
    public func mayBeSeen(_ identifier: String, until: Timestamp?, at phoneNow: Timestamp) -> Bool {
        let now = time.now(phoneNow)
        return !tombstones.contains(identifier, at: now) && !ExpiryGuard.hasExpired(until: until, at: now)
    }

    // MARK: Removals

    /// A removal has come. The identifiers are to be taken off the screen; then call ``areGone(_:at:)``.
    ///
    /// - Parameter reusesIdentifiers: the sender gives an id to one message after another (Pushwoosh): then a
    ///   tombstone is set only for a message that has not come yet.
    public mutating func remove(_ identifiers: [String], reusesIdentifiers: Bool, at phoneNow: Timestamp) {
        let now = time.now(phoneNow)
        for identifier in identifiers {
            if reusesIdentifiers, known[identifier] != nil {
                known.forget(identifier)
            } else {
                tombstones.bury(identifier, at: now)
            }
        }
    }

    /// The identifiers are not on the screen and will not come back: the recall is confirmed.
    public mutating func areGone(_ ids: [MessageID], at phoneNow: Timestamp) {
        for id in ids {
            known.meet(
                PushMessage(identifier: id.rawValue, messageID: id, presentation: .nothing), at: time.now(phoneNow))
            claim(.recalled, of: id.rawValue, at: phoneNow)
        }
    }

    /// Those of the identifiers on screen that may not be there: recalled before they came, or past their end.
    public func unwelcome(among onScreen: Set<String>, at phoneNow: Timestamp) -> (
        recalled: [String], expired: [String]
    ) {
        let now = time.now(phoneNow)
        let recalled = onScreen.filter { tombstones.contains($0, at: now) }
        let expired = known.expired(at: now).filter { onScreen.contains($0) && !recalled.contains($0) }
        return (recalled.sorted(), expired.sorted())
    }

    /// The message came and was kept off the screen, because it was recalled or has expired.
    public mutating func wasKeptOffScreen(_ message: PushMessage, at phoneNow: Timestamp) {
        if tombstones.contains(message.identifier, at: time.now(phoneNow)) {
            areGone([message.messageID].compactMap { $0 }, at: phoneNow)
        } else {
            hasExpired(message.identifier, .arrivedLate, at: phoneNow)
        }
    }

    // MARK: What is known

    public mutating func wasReceived(_ identifier: String, at phoneNow: Timestamp) {
        claim(.received, of: identifier, at: phoneNow)
    }

    public mutating func wasShown(_ identifier: String, at phoneNow: Timestamp) {
        claim(.shown, of: identifier, at: phoneNow)
    }

    public mutating func hasExpired(_ identifier: String, _ reason: ExpiryGuard.Reason, at phoneNow: Timestamp) {
        claim(.expired, of: identifier, detail: reason.rawValue, at: phoneNow)
    }

    /// Queues a receipt, unless the same was claimed before, or the message is another service's.
    public mutating func claim(
        _ event: ReceiptEvent, of identifier: String, detail: String? = nil, at phoneNow: Timestamp
    ) {
        guard known.claim(event, of: identifier, detail: detail), writesReceipts,
            let id = known[identifier]?.messageID
        else { return }
        receipts.add(event, of: id, at: time.now(phoneNow), detail: detail)
    }

    /// Notes a message that was met outside of a push: in the delivered list, in a response.
    public mutating func meet(_ message: PushMessage, at phoneNow: Timestamp) {
        known.meet(message, at: time.now(phoneNow))
    }

    /// The app delegate was handed a push.
    ///
    /// - Returns: whether the app's own code hears of the message for the first time.
    public mutating func reachesApp(_ message: PushMessage?, payload: [String: JSONValue]) -> Bool {
        if let message { return known.reachesApp(message.identifier) }
        return unnamed.reportedByApplication(digest: UnnamedArrivals.digest(payload))
    }

    /// The notification centre has reported a notification.
    ///
    /// - Returns: whether the app's own code hears of the message for the first time.
    public mutating func reachesApp(shown identifier: String, payload: [String: JSONValue]) -> Bool {
        if known[identifier] != nil { return known.reachesApp(identifier) }
        return unnamed.reportedByCenter(identifier: identifier, digest: UnnamedArrivals.digest(payload))
    }

    /// Forgets the person's messages: what sign-out demands. Tombstones and unsent receipts hold no texts, and stay.
    /// A push that was on its way to them and comes late is not shown any more.
    public mutating func signOut(at phoneNow: Timestamp) {
        signedOutAt = time.now(phoneNow)
        known = KnownMessages()
        unnamed = UnnamedArrivals()
    }
}
