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
    /// A push that the service composed before this time may be for the previous user.
    var signedOutAt: Timestamp?
    /// Whether receipts are written; the person may object to receipts.
    package var writesReceipts = true

    /// Creates a policy that knows no messages.
    ///
    /// - Parameter receiptPrefix: a random prefix; see ``ReceiptQueue/prefix``.
    package init(receiptPrefix: String) { receipts = ReceiptQueue(prefix: receiptPrefix) }

    // MARK: Known messages

    /// Records a message that was found outside a push: among the delivered notifications, or in a response.
    mutating func record(_ message: PushMessage, at phoneNow: Timestamp) {
        known.record(message, at: time.now(phoneNow))
    }

    /// Returns whether a message may be seen: it was not removed before (``Tombstones``), and it has not expired.
    ///
    /// Call this again after every answer of iOS, because a recall may arrive meanwhile.
    func mayBeSeen(_ message: PushMessage, at phoneNow: Timestamp) -> Bool {
        let now = time.now(phoneNow)
        return !tombstones.contains(message.removalName, revision: message.revision, at: now)
            && !ExpiryGuard.hasExpired(until: message.until, at: now)
    }

    /// Returns whether the person may have been alerted to this version of the message (its revision), or to a newer version.
    ///
    /// Returns `false` for a message that another push provider sent. Such a provider reuses its ids, so a new message cannot be
    /// distinguished from a second delivery.
    func isRepeated(_ message: PushMessage) -> Bool {
        guard message.messageID != nil, let entry = known[message.identifier] else { return false }
        return entry.revision > message.revision || (entry.revision == message.revision && entry.mayHaveAlerted)
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
