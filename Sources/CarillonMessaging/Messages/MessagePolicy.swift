import CarillonCore

/// The rules that decide which messages on this phone may be shown, which must be removed, and which receipts to write.
///
/// The app and its service extension share this value through the store. Each `package` method handles an event: it changes this
/// value and returns a ``MessagePlan`` or an immediate answer. Decisions use the service's clock, which ``ServiceTime`` derives
/// from the phone's clock.
package struct MessagePolicy: Sendable, Hashable {
    package var time = ServiceTime()
    package var badge = BadgeState()
    package internal(set) var tombstones = Tombstones()
    package internal(set) var known = KnownMessages()
    package var receipts: ReceiptQueue
    var unnamed = UnidentifiedMessages()
    /// The messages and responses that wait for the app's own code.
    package var handOvers = HandOvers()
    /// The time of the last sign-out, by the service's clock; `nil` if nobody has signed out.
    ///
    /// A push that the service composed before this time may be for the previous user. Once the service has confirmed the
    /// sign-out, this is the time of the confirmation.
    var signedOutAt: Timestamp?
    /// Whether receipts are written; the person may object to receipts.
    package var writesReceipts = true

    /// Creates a policy that knows no messages.
    ///
    /// - Parameter receiptPrefix: a random prefix; see ``ReceiptQueue/prefix``.
    package init(receiptPrefix: String) { receipts = ReceiptQueue(prefix: receiptPrefix) }

    // MARK: The verdict

    /// Returns the verdict on a message at a moment; every decision about showing a message or handing it to the app follows from
    /// it.
    ///
    /// Ask again after every answer of iOS, because a recall may arrive meanwhile.
    package func verdict(on message: PushMessage, _ moment: MessageMoment) -> MessageVerdict {
        guard isForThisUser(composedAt: message.composedAt, signedOut: moment.signedOut) else { return .formerUser }
        if message.isNotice { return .notice }
        let estimate = time.now(moment.now)
        // A push proves that the time at which it was composed has passed.
        let now = max(estimate, message.composedAt ?? estimate)
        if tombstones.contains(message.removalName, revision: message.revision, at: now) {
            let reason = tombstones.reason(message.removalName) ?? .read
            return reason == .read ? .read : .recalled(reason)
        }
        if ExpiryGuard.hasExpired(until: end(of: message), at: now) { return .expired }
        // Another push provider reuses its ids, so a known id does not mean a second delivery.
        guard message.messageID != nil, let entry = known[message.identifier] else { return .new }
        if entry.revision > message.revision { return .stale }
        guard entry.revision == message.revision, entry.mayHaveAlerted else { return .new }
        return .repeated(wasShown: entry.hasClaimed(.shown))
    }

    /// Returns the verdict on a message that has arrived, and records the message.
    mutating func record(_ message: PushMessage, _ moment: MessageMoment) -> MessageVerdict {
        let verdict = verdict(on: message, moment)
        // A notice is not the message whose id it has.
        if verdict != .notice { record(message, at: moment.now) }
        return verdict
    }

    /// Records a message that was found outside a push: among the delivered notifications, or in a response.
    mutating func record(_ message: PushMessage, at phoneNow: Timestamp) {
        if let composedAt = message.composedAt { time.heardComposed(composedAt) }
        known.record(message, at: time.now(phoneNow))
    }

    /// Returns the last moment at which a message may be seen, which an earlier delivery may have named; `nil` if it does not
    /// expire.
    func end(of message: PushMessage) -> Timestamp? {
        message.until ?? known[message.identifier].flatMap { $0.revision == message.revision ? $0.until : nil }
    }

    /// Returns whether what the service composed at `composedAt` can be for the user who is signed in now.
    ///
    /// - Parameters:
    ///   - composedAt: the time at which the service composed it, by the service's clock; `nil` if it is not known.
    ///   - signedOut: whether the person has signed out and the service has not confirmed it.
    /// - Returns: `false` if the user of that time has signed out since.
    func isForThisUser(composedAt: Timestamp?, signedOut: Bool) -> Bool {
        guard !signedOut, let composedAt, let signedOutAt else { return !signedOut }
        return composedAt >= signedOutAt
    }

    // MARK: Signing out

    /// Forgets the messages of a user who has signed out, also those that still wait for the app's handlers.
    ///
    /// Notifications that another push provider sent stay in Notification Center, so ``UnidentifiedMessages`` still remembers
    /// them.
    ///
    /// - Parameter moment: the time of the sign-out, by the service's clock.
    mutating func forgetMessages(signedOutAt moment: Timestamp) {
        signedOutAt = moment
        known.removeAll()
        handOvers.removeAll()
    }
}

/// The verdict on a message at a moment: whether the person may see it, and if not, why.
///
/// If several verdicts apply, the first one in this list counts.
package enum MessageVerdict: Sendable, Hashable {
    /// The message may be for a user who has signed out.
    case formerUser
    /// The notification is no message: it only says that a message was recalled or may no longer be seen.
    case notice
    /// The service has removed the message from this phone, for this reason, which is not that the person has read it.
    case recalled(Removal.Reason)
    /// The person has read the message, here or on another device.
    case read
    /// The last moment at which the message may be seen has passed.
    case expired
    /// The phone knows a newer version of the message.
    case stale
    /// The person may have been alerted to this version of the message.
    ///
    /// `wasShown` says whether its notification was found in Notification Center.
    case repeated(wasShown: Bool)
    /// The person has not been alerted to this version of the message.
    case new

    /// Whether the app's own code may receive a message that the person has tapped, or that has waited for its handler.
    var mayReachApp: Bool {
        switch self {
        case .formerUser, .notice, .recalled, .expired: false
        case .read, .stale, .repeated, .new: true
        }
    }
}
