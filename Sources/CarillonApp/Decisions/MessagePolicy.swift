import CarillonCore

/// Everything that decides about messages on this phone, as one value: what may be shown, what must go, and what can
/// honestly be said about it. The app and its service extension share it through the store.
///
/// Every verb takes the phone's clock; decisions are made on the service's (``ServiceTime``).
public struct MessagePolicy: Sendable, Hashable, Codable {
    /// What to do with a message that has just arrived.
    public enum Arrival: Sendable, Hashable {
        /// Make this notification, then call ``MessagePolicy/wasShown(_:at:)``, or ``MessagePolicy/couldNotBeShown(_:)``.
        case show(LocalNotification)
        /// It may have been on the screen before. If it is there, nothing; else make this quiet notification.
        case showUnlessThere(LocalNotification)
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
    public var badge = BadgeState()
    public private(set) var tombstones = Tombstones()
    public private(set) var known = KnownMessages()
    public var receipts: ReceiptQueue
    private var unnamed = UnidentifiedMessages()
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
        let isRepeated = isRepeated(message)
        let isStale = (known[message.identifier]?.revision ?? 0) > message.revision
        known.meet(message, at: now)
        if signedOut || isFromBeforeSignOut(composedAt) { return .veto(.signedOut) }
        if tombstones.contains(message.key, revision: message.revision, at: now) {
            // Another sender's ids are short numbers that come round again: one tombstone stops one message.
            if message.messageID == nil { tombstones.exhume(message.key) }
            return .veto(.recalled)
        }
        if ExpiryGuard.hasExpired(until: message.until, at: now) { return .veto(.expired) }
        switch message.presentation {
        case .bySystem: return .shownBySystem
        case .inApp, .nothing: return .handOver
        case .local(let notification):
            if isStale || isRepeated && known[message.identifier]?.hasClaimed(.shown) == true { return .repeated }
            known.handedToScreen(message.identifier)
            guard isRepeated else { return .show(notification) }
            known.quietened(message.identifier, attempt: message.attempt)
            return .showUnlessThere(notification.quietened())
        }
    }

    /// Whether the person may have been alerted to this revision, or to a newer one. Other senders use their ids again
    /// for new messages, and nothing tells those from second deliveries.
    private func isRepeated(_ message: PushMessage) -> Bool {
        guard message.messageID != nil, let entry = known[message.identifier] else { return false }
        return entry.revision > message.revision || (entry.revision == message.revision && entry.mayHaveAlerted)
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
        let isRepeated = isRepeated(message)
        let arrival = arrived(message, composedAt: composedAt, signedOut: signedOut, at: phoneNow)
        if case .veto(let veto) = arrival { return .withhold(veto) }
        known.handedToScreen(message.identifier)
        if isRepeated { known.quietened(message.identifier, attempt: message.attempt) }
        return isRepeated ? .quiet : .asItIs
    }

    /// What the app adds to the options for a notification that arrives in the foreground.
    public enum Presentation: Sendable, Hashable {
        case full
        /// Shown before: in the list only.
        case quiet
        case nothing
    }

    /// A notification is about to be shown while the app is in the foreground: one of iOS' own, or the app's.
    public mutating func aboutToPresent(
        _ message: PushMessage, composedAt: Timestamp?, at phoneNow: Timestamp
    ) -> Presentation {
        let entry = known[message.identifier]
        let wasSeen = entry?.wasPresented == true || entry?.hasClaimed(.shown) == true
        let isQuiet = wasSeen || entry?.quietAttempt == message.attempt
        let isRepeated =
            message.messageID != nil
            && entry.map { $0.revision > message.revision || ($0.revision == message.revision && isQuiet) } == true
        if let composedAt { time.heardComposed(composedAt) }
        meet(message, at: phoneNow)
        guard mayBeSeen(message, at: phoneNow) else {
            wasKeptOffScreen(message, at: phoneNow)
            return .nothing
        }
        known.handedToScreen(message.identifier)
        guard isRepeated else {
            known.presented(message.identifier)
            return .full
        }
        known.quietened(message.identifier, attempt: message.attempt)
        return .quiet
    }

    /// Whether the message may (still) be on the screen; asked again after every wait.
    public func mayBeSeen(_ message: PushMessage, at phoneNow: Timestamp) -> Bool {
        let now = time.now(phoneNow)
        return !tombstones.contains(message.key, revision: message.revision, at: now)
            && !ExpiryGuard.hasExpired(until: message.until, at: now)
    }

    // MARK: Removals

    /// Removals have come. The identifiers are to be taken off the screen; then call ``areGone(_:at:)``.
    ///
    /// A sender that gives an id to one message after another (Pushwoosh) gets a tombstone only for a message that has
    /// not come yet.
    ///
    /// - Returns: the identifiers that must leave the screen: not those of a revision that has come since.
    public mutating func remove(_ removals: [PushRemoval], at phoneNow: Timestamp) -> [String] {
        let now = time.now(phoneNow)
        var leaving: [String] = []
        for removal in removals {
            if removal.messageID == nil, known[removal.identifier] != nil {
                known.forget(removal.identifier)
            } else {
                tombstones.bury(removal.identifier, revision: removal.revision, reason: removal.reason, at: now)
            }
            leaving += removal.identifiers.filter { (known[$0]?.revision ?? 0) <= removal.revision }
        }
        return leaving
    }

    /// The messages are not on the screen and will not come back: the recalls are confirmed.
    public mutating func areGone(_ removals: [PushRemoval], at phoneNow: Timestamp) {
        for removal in removals {
            guard let id = removal.messageID else { continue }
            let name = removal.identifiers.first { known[$0] != nil } ?? removal.identifier
            let message = PushMessage(
                identifier: name, messageID: id, presentation: .nothing, revision: removal.revision)
            known.meet(message, at: time.now(phoneNow))
            guard known[name]?.revision == removal.revision else { continue }
            let detail = removal.reason == .recall ? nil : removal.reason.rawValue
            claim(.recalled, of: name, detail: detail, at: phoneNow)
        }
    }

    /// Those of the messages on screen that may not be there: recalled before they came, or past their end.
    public func unwelcome(
        among onScreen: [PushMessage], at phoneNow: Timestamp
    ) -> (recalled: [PushMessage], expired: [String]) {
        let now = time.now(phoneNow)
        var recalled: [PushMessage] = []
        var expired: [String] = []
        for message in onScreen.sorted(by: { $0.identifier < $1.identifier }) {
            let until = message.until ?? known[message.identifier]?.until
            if tombstones.contains(message.key, revision: message.revision, at: now) {
                recalled.append(message)
            } else if ExpiryGuard.hasExpired(until: until, at: now) {
                expired.append(message.identifier)
            }
        }
        return (recalled, expired)
    }

    /// The message came and was kept off the screen, because it was recalled or has expired.
    public mutating func wasKeptOffScreen(_ message: PushMessage, at phoneNow: Timestamp) {
        if tombstones.contains(message.key, revision: message.revision, at: time.now(phoneNow)) {
            wasVetoed(message, at: phoneNow)
        } else {
            hasExpired(message.identifier, .arrivedLate, at: phoneNow)
        }
    }

    /// A message was stopped by its tombstone: if the service has taken it back, that is confirmed.
    public mutating func wasVetoed(_ message: PushMessage, at phoneNow: Timestamp) {
        guard let reason = tombstones.reason(message.key) else { return }
        let removal = PushRemoval(
            identifier: message.identifier, messageID: message.messageID, revision: message.revision, reason: reason)
        areGone([removal], at: phoneNow)
    }

    // MARK: What is known

    public mutating func wasReceived(_ identifier: String, at phoneNow: Timestamp) {
        claim(.received, of: identifier, at: phoneNow)
    }

    /// The message was seen on the screen. If an earlier attempt at it had been there too, and this one was not made a
    /// quiet one, the person was alerted a second time, and that is said. So it is when the same attempt stands in the list
    /// as of another moment: the network has doubled the push, and no extension was there to make the second one quiet.
    ///
    /// - Parameters:
    ///   - attempt: of the push that brought it.
    ///   - delivered: the notification's date, which is a new one when iOS shows the same identifier again; `nil`, the
    ///     default, when it is not known.
    public mutating func wasShown(
        _ identifier: String, attempt: Int = 1, delivered: Timestamp? = nil, at phoneNow: Timestamp
    ) {
        claim(.shown, of: identifier, at: phoneNow)
        guard known.wasShown(identifier, attempt: attempt, delivered: delivered) else { return }
        claim(.shown, of: identifier, detail: Receipt.shownAgain, at: phoneNow)
    }

    /// The person has read it here: a delivery that is late must not bring it back.
    public mutating func wasRead(_ message: PushMessage, at phoneNow: Timestamp) {
        tombstones.bury(message.key, revision: message.revision, reason: nil, at: time.now(phoneNow))
        claim(.opened, of: message.identifier, at: phoneNow)
    }

    /// iOS did not take the notification: a later delivery is the first one.
    public mutating func couldNotBeShown(_ identifier: String) { known.handedToScreen(identifier, false) }

    public mutating func hasExpired(_ identifier: String, _ reason: ExpiryGuard.Reason, at phoneNow: Timestamp) {
        claim(.expired, of: identifier, detail: reason.rawValue, at: phoneNow)
    }

    /// Queues a receipt, unless the same was claimed before, or the message is another service's.
    public mutating func claim(
        _ event: ReceiptEvent, of identifier: String, detail: String? = nil, at phoneNow: Timestamp
    ) {
        guard known.claim(event, of: identifier, detail: detail), writesReceipts,
            let entry = known[identifier], let id = entry.messageID
        else { return }
        receipts.add(event, of: id, revision: entry.revision, at: time.now(phoneNow), detail: detail)
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
        return unnamed.reportedByApplication(digest: UnidentifiedMessages.digest(payload))
    }

    /// The notification center has reported a notification.
    ///
    /// - Returns: whether the app's own code hears of the message for the first time.
    public mutating func reachesApp(shown identifier: String, payload: [String: JSONValue]) -> Bool {
        if known[identifier] != nil { return known.reachesApp(identifier) }
        return unnamed.reportedByCenter(identifier: identifier, digest: UnidentifiedMessages.digest(payload))
    }

    /// Forgets the person's messages: what sign-out demands. Tombstones and unsent receipts hold no texts, and stay.
    /// A push that was on its way to them and comes late is not shown any more.
    public mutating func signOut(at phoneNow: Timestamp) {
        signedOutAt = time.now(phoneNow)
        known = KnownMessages()
        unnamed = UnidentifiedMessages()
    }
}

extension PushMessage {
    /// What a removal calls the message: its id at the service, or its identifier if it is another service's.
    var key: String { messageID?.rawValue ?? identifier }
}
