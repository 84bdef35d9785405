import CarillonCore

/// What becomes of a message that comes: in a push, in the extension, in the foreground.
extension MessagePolicy {
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
    package enum Presentation: Sendable, Hashable {
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
    package mutating func aboutToPresent(
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
}
