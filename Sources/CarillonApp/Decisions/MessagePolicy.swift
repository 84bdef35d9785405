import CarillonCore

/// Decides about the messages on this phone: which may be shown, which must go, and which receipts are true.
///
/// A value that the app and its service extension share through the store. Every method takes the phone's clock; the
/// decisions go by the service's (``ServiceTime``).
package struct MessagePolicy: Sendable, Hashable, Codable {
    /// What to do with a message that has just arrived.
    package enum Arrival: Sendable, Hashable {
        /// Add this notification, then call ``MessagePolicy/wasShown(_:attempt:delivered:at:)`` or
        /// ``MessagePolicy/couldNotBeShown(_:)``.
        case show(LocalNotification)
        /// It may have been shown before: add this quiet notification, unless one with its identifier is in the list.
        case showUnlessThere(LocalNotification)
        /// iOS shows it: look for it in the list of delivered notifications.
        case shownBySystem
        /// It belongs inside the app, or has nothing to show: only the app's own code receives it.
        case handOver
        /// It may not be seen: it must leave the list, should iOS have put it there.
        case veto(Veto)
        /// A second delivery of a message that was shown.
        case repeated
    }

    /// Why a message may not be seen.
    package enum Veto: Sendable, Hashable {
        /// A tombstone stops it: it was recalled, or read.
        case recalled
        /// Its last moment has passed.
        case expired
        /// The person has signed out, and the service may not know it yet.
        case signedOut
    }

    // The names of the stored properties are keys of the file `state.json`.

    package var time = ServiceTime()
    var badge = BadgeState()
    package private(set) var tombstones = Tombstones()
    package private(set) var known = KnownMessages()
    package var receipts: ReceiptQueue
    private var unnamed = UnidentifiedMessages()
    /// When somebody signed out last, by the service's clock; pushes that were composed before may be meant for them.
    private var signedOutAt: Timestamp?
    /// Whether receipts are written at all; a person may object to them.
    package var writesReceipts = true

    /// - Parameter receiptPrefix: random; see ``ReceiptQueue/prefix``.
    package init(receiptPrefix: String) { receipts = ReceiptQueue(prefix: receiptPrefix) }

    // MARK: Arrivals

    /// Decides about a message that has come in a remote notification.
    ///
    /// - Parameters:
    ///   - message: as it came.
    ///   - composedAt: the service's clock when it composed the push, if the push says so.
    ///   - signedOut: whether the person has signed out and the service has not confirmed it; the default is `false`.
    ///   - phoneNow: the phone's clock.
    /// - Returns: what to do with it.
    package mutating func arrived(
        _ message: PushMessage, composedAt: Timestamp?, signedOut: Bool = false, at phoneNow: Timestamp
    ) -> Arrival {
        if let composedAt { time.heardComposed(composedAt) }
        let now = time.now(phoneNow)
        let isRepeated = isRepeated(message)
        let isStale = (known[message.identifier]?.revision ?? 0) > message.revision
        // Another sender's silent push reaches the app once: under an id that is known it is the next message.
        if message.messageID == nil, case .local = message.presentation { known.forget(message.identifier) }
        known.record(message, at: now)
        if signedOut || isFromBeforeSignOut(composedAt) { return .veto(.signedOut) }
        if tombstones.contains(message.removalName, revision: message.revision, at: now) {
            // Another sender's ids are short numbers that come round again: one tombstone stops one message.
            if message.messageID == nil { tombstones.remove(message.removalName) }
            return .veto(.recalled)
        }
        if ExpiryGuard.hasExpired(until: message.until, at: now) { return .veto(.expired) }
        switch message.presentation {
        case .bySystem: return .shownBySystem
        case .inApp, .nothing: return .handOver
        case .local(let notification):
            if isStale || isRepeated && known[message.identifier]?.hasClaimed(.shown) == true { return .repeated }
            known.handedToSystem(message.identifier)
            guard isRepeated else { return .show(notification) }
            known.quietened(message.identifier, attempt: message.attempt)
            return .showUnlessThere(notification.quietened())
        }
    }

    /// Whether the person may have been alerted to this revision, or to a newer one.
    ///
    /// `false` for other senders: they use their ids again for new messages, and nothing distinguishes those from second
    /// deliveries.
    private func isRepeated(_ message: PushMessage) -> Bool {
        guard message.messageID != nil, let entry = known[message.identifier] else { return false }
        return entry.revision > message.revision || (entry.revision == message.revision && entry.mayHaveAlerted)
    }

    private func isFromBeforeSignOut(_ composedAt: Timestamp?) -> Bool {
        guard let composedAt, let signedOutAt else { return false }
        return composedAt < signedOutAt
    }

    /// What the service extension does with an alert that iOS is about to show.
    package enum Treatment: Sendable, Hashable {
        /// Show it as it came.
        case asItIs
        /// Show it without banner and sound: it is a second delivery.
        case quiet
        /// Show nothing of it.
        case withhold(Veto)
    }

    /// Decides about an alert that has reached the service extension, before iOS shows it.
    ///
    /// - Parameters:
    ///   - message: as it came.
    ///   - composedAt: the service's clock when it composed the push, if the push says so.
    ///   - signedOut: whether the person has signed out and the service has not confirmed it.
    ///   - phoneNow: the phone's clock.
    /// - Returns: what to do with it.
    package mutating func aboutToShow(
        _ message: PushMessage, composedAt: Timestamp?, signedOut: Bool, at phoneNow: Timestamp
    ) -> Treatment {
        let isRepeated = isRepeated(message)
        let arrival = arrived(message, composedAt: composedAt, signedOut: signedOut, at: phoneNow)
        if case .veto(let veto) = arrival { return .withhold(veto) }
        known.handedToSystem(message.identifier)
        if isRepeated { known.quietened(message.identifier, attempt: message.attempt) }
        return isRepeated ? .quiet : .asItIs
    }

    /// How a notification is shown that arrives while the app is in the foreground.
    enum Presentation: Sendable, Hashable {
        /// As the app has configured it.
        case full
        /// In the list only: it was shown before.
        case quiet
        /// Not at all.
        case nothing
    }

    /// Decides about a notification in the foreground, whether iOS made it of an alert push or the SDK added it.
    ///
    /// - Parameters:
    ///   - message: the notification's.
    ///   - composedAt: the service's clock when it composed the push, if the push says so.
    ///   - phoneNow: the phone's clock.
    /// - Returns: how it is shown.
    mutating func aboutToPresent(
        _ message: PushMessage, composedAt: Timestamp?, at phoneNow: Timestamp
    ) -> Presentation {
        let entry = known[message.identifier]
        let wasSeen = entry?.wasPresented == true || entry?.hasClaimed(.shown) == true
        let isQuiet = wasSeen || entry?.quietAttempt == message.attempt
        let isRepeated =
            message.messageID != nil
            && entry.map { $0.revision > message.revision || ($0.revision == message.revision && isQuiet) } == true
        if let composedAt { time.heardComposed(composedAt) }
        record(message, at: phoneNow)
        guard mayBeSeen(message, at: phoneNow) else {
            wasWithheld(message, at: phoneNow)
            return .nothing
        }
        known.handedToSystem(message.identifier)
        guard isRepeated else {
            known.presented(message.identifier)
            return .full
        }
        known.quietened(message.identifier, attempt: message.attempt)
        return .quiet
    }

    /// Whether a message may (still) be seen; to be asked again after every suspension point.
    package func mayBeSeen(_ message: PushMessage, at phoneNow: Timestamp) -> Bool {
        let now = time.now(phoneNow)
        return !tombstones.contains(message.removalName, revision: message.revision, at: now)
            && !ExpiryGuard.hasExpired(until: message.until, at: now)
    }

    // MARK: Removals

    /// Records removals that have come.
    ///
    /// The identifiers are to be removed from the list, then ``wereRemoved(_:at:)`` is to be called. Where a sender uses
    /// an id for one message after another (Pushwoosh), only a message that has not come yet gets a tombstone, and not
    /// for longer than a removal can be ahead of its message.
    ///
    /// - Parameters:
    ///   - removals: of a push, or of an answer of the service.
    ///   - phoneNow: the phone's clock.
    /// - Returns: the identifiers that must leave the list: not those of a revision that has come since.
    package mutating func remove(_ removals: [PushRemoval], at phoneNow: Timestamp) -> [String] {
        let now = time.now(phoneNow)
        var leaving: [String] = []
        for removal in removals {
            if removal.messageID == nil, known[removal.identifier] != nil {
                known.forget(removal.identifier)
            } else {
                let end = removal.messageID == nil ? now + AppLimits.overtakingTime : nil
                tombstones.set(
                    removal.identifier, revision: removal.revision, reason: removal.reason, until: end, at: now)
            }
            leaving += removal.identifiers.filter { (known[$0]?.revision ?? 0) <= removal.revision }
        }
        return leaving
    }

    /// Writes the receipts of removals that are visible in the list: the recalls are confirmed.
    ///
    /// - Parameters:
    ///   - removals: whose messages are not in the list and will not come back.
    ///   - phoneNow: the phone's clock.
    package mutating func wereRemoved(_ removals: [PushRemoval], at phoneNow: Timestamp) {
        for removal in removals {
            guard let id = removal.messageID else { continue }
            let name = removal.identifiers.first { known[$0] != nil } ?? removal.identifier
            let message = PushMessage(
                identifier: name, messageID: id, presentation: .nothing, revision: removal.revision)
            known.record(message, at: time.now(phoneNow))
            guard known[name]?.revision == removal.revision else { continue }
            let detail = removal.reason == .recall ? nil : removal.reason.rawValue
            claim(.recalled, of: name, detail: detail, at: phoneNow)
        }
    }

    /// The messages in the list that may not be there: recalled before they came, or expired.
    ///
    /// - Parameters:
    ///   - delivered: the messages in the list.
    ///   - phoneNow: the phone's clock.
    /// - Returns: the recalled messages, and the identifiers of the expired ones.
    func recalledAndExpired(
        among delivered: [PushMessage], at phoneNow: Timestamp
    ) -> (recalled: [PushMessage], expired: [String]) {
        let now = time.now(phoneNow)
        var recalled: [PushMessage] = []
        var expired: [String] = []
        for message in delivered.sorted(by: { $0.identifier < $1.identifier }) {
            let until = message.until ?? known[message.identifier]?.until
            if tombstones.contains(message.removalName, revision: message.revision, at: now) {
                recalled.append(message)
            } else if ExpiryGuard.hasExpired(until: until, at: now) {
                expired.append(message.identifier)
            }
        }
        return (recalled, expired)
    }

    /// Writes the receipt of a message that was not shown, because it was recalled or has expired.
    private mutating func wasWithheld(_ message: PushMessage, at phoneNow: Timestamp) {
        if tombstones.contains(message.removalName, revision: message.revision, at: time.now(phoneNow)) {
            wasVetoed(message, at: phoneNow)
        } else {
            hasExpired(message.identifier, .arrivedLate, at: phoneNow)
        }
    }

    /// Writes the receipt of a message that a tombstone has stopped, if the service wants that confirmed.
    mutating func wasVetoed(_ message: PushMessage, at phoneNow: Timestamp) {
        guard let reason = tombstones.reason(message.removalName) else { return }
        let removal = PushRemoval(
            identifier: message.identifier, messageID: message.messageID, revision: message.revision, reason: reason)
        wereRemoved([removal], at: phoneNow)
    }

    // MARK: Receipts

    /// Writes the receipt of a message that has reached code of the app.
    mutating func wasReceived(_ identifier: String, at phoneNow: Timestamp) {
        claim(.received, of: identifier, at: phoneNow)
    }

    /// Writes the receipt of a message that was shown, and a second one if the person was alerted again.
    ///
    /// The person was alerted again if an earlier attempt had been shown too and this one was not a quiet one. The same
    /// holds if the same attempt is in the list with another date: the network has doubled the push, and no extension was
    /// there to quieten the second one.
    ///
    /// - Parameters:
    ///   - identifier: of the message.
    ///   - attempt: of the push that brought it; the default is 1.
    ///   - delivered: the notification's date, which changes when iOS shows the same identifier again; `nil`, the
    ///     default, when it is not known.
    ///   - phoneNow: the phone's clock.
    package mutating func wasShown(
        _ identifier: String, attempt: Int = 1, delivered: Timestamp? = nil, at phoneNow: Timestamp
    ) {
        claim(.shown, of: identifier, at: phoneNow)
        guard known.wasShown(identifier, attempt: attempt, delivered: delivered) else { return }
        claim(.shown, of: identifier, detail: Receipt.shownAgain, at: phoneNow)
    }

    /// Writes the receipt of a message that the person has read, and sets a tombstone against late deliveries.
    ///
    /// Another sender's message gets none: its next one may have the same id.
    package mutating func wasRead(_ message: PushMessage, at phoneNow: Timestamp) {
        if message.messageID != nil {
            tombstones.set(message.removalName, revision: message.revision, reason: nil, at: time.now(phoneNow))
        }
        claim(.opened, of: message.identifier, at: phoneNow)
    }

    /// Records that iOS did not accept the notification: a later delivery counts as the first one.
    package mutating func couldNotBeShown(_ identifier: String) { known.handedToSystem(identifier, false) }

    /// Writes the receipt of an expired message.
    package mutating func hasExpired(_ identifier: String, _ reason: ExpiryGuard.Reason, at phoneNow: Timestamp) {
        claim(.expired, of: identifier, detail: reason.rawValue, at: phoneNow)
    }

    /// Writes a receipt, unless the same was written before, or the message is another sender's.
    ///
    /// - Parameters:
    ///   - event: what happened.
    ///   - identifier: of a message that was recorded.
    ///   - detail: why, or which action; the default is none.
    ///   - phoneNow: the phone's clock.
    package mutating func claim(
        _ event: ReceiptEvent, of identifier: String, detail: String? = nil, at phoneNow: Timestamp
    ) {
        guard known.claim(event, of: identifier, detail: detail), writesReceipts,
            let entry = known[identifier], let id = entry.messageID
        else { return }
        receipts.add(event, of: id, revision: entry.revision, at: time.now(phoneNow), detail: detail)
    }

    // MARK: What is known

    /// Records a message that was seen outside of a push: in the list of delivered notifications, or in a response.
    package mutating func record(_ message: PushMessage, at phoneNow: Timestamp) {
        known.record(message, at: time.now(phoneNow))
    }

    /// Records that the app's own code receives a push that the app delegate was given.
    ///
    /// - Parameters:
    ///   - message: `nil` for a push without an id.
    ///   - payload: identifies a push without an id.
    /// - Returns: whether it receives the message for the first time.
    package mutating func reachesApp(_ message: PushMessage?, payload: [String: JSONValue]) -> Bool {
        if let message { return known.reachesApp(message.identifier) }
        return unnamed.reportedByApplication(digest: UnidentifiedMessages.digest(payload))
    }

    /// Records that the app's own code receives a notification that the notification center has reported.
    ///
    /// - Parameters:
    ///   - identifier: of the notification.
    ///   - payload: identifies a push without an id.
    /// - Returns: whether it receives the message for the first time.
    package mutating func reachesApp(shown identifier: String, payload: [String: JSONValue]) -> Bool {
        if known[identifier] != nil { return known.reachesApp(identifier) }
        return unnamed.reportedByCenter(identifier: identifier, digest: UnidentifiedMessages.digest(payload))
    }

    /// Forgets the messages of the user who signs out.
    ///
    /// Tombstones and receipts that wait hold no texts, and are kept. A push that was composed for the user before and
    /// comes late is not shown.
    package mutating func signOut(at phoneNow: Timestamp) {
        signedOutAt = time.now(phoneNow)
        known = KnownMessages()
        unnamed = UnidentifiedMessages()
    }
}
