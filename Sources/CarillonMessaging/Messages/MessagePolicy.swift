import CarillonCore

/// Decides about the messages on this phone: which may be shown, which must go, and which receipts are true.
///
/// A value that the app and its service extension share through the store. Each `package` method decides about an event: it
/// changes this value and returns a ``MessagePlan`` or an immediate answer. Decisions use the service's clock, which
/// ``ServiceTime`` derives from the phone's.
package struct MessagePolicy: Sendable, Hashable, Codable {
    // The names of the stored properties are keys of the store's files.

    package var time = ServiceTime()
    package var badge = BadgeState()
    package internal(set) var tombstones = Tombstones()
    package internal(set) var known = KnownMessages()
    package var receipts: ReceiptQueue
    var unnamed = UnidentifiedMessages()
    /// The messages and responses that wait for the app's own code.
    package var handOvers = HandOvers()
    /// The time of the last sign-out, by the service's clock; pushes composed before it may be for the previous user.
    var signedOutAt: Timestamp?
    /// Whether receipts are written; a person may object to them.
    package var writesReceipts = true

    /// - Parameter receiptPrefix: a random prefix; see ``ReceiptQueue/prefix``.
    package init(receiptPrefix: String) { receipts = ReceiptQueue(prefix: receiptPrefix) }

    // MARK: Known messages

    /// Records a message that was seen outside a push: in the list of delivered notifications, or in a response.
    mutating func record(_ message: PushMessage, at phoneNow: Timestamp) {
        known.record(message, at: time.now(phoneNow))
    }

    /// Returns whether a message may (still) be seen; check again after every answer of iOS.
    func mayBeSeen(_ message: PushMessage, at phoneNow: Timestamp) -> Bool {
        let now = time.now(phoneNow)
        return !tombstones.contains(message.removalName, revision: message.revision, at: now)
            && !ExpiryGuard.hasExpired(until: message.until, at: now)
    }

    /// Returns whether the person may have been alerted to this revision, or to a newer one.
    ///
    /// `false` for other senders: they reuse their ids, so new messages cannot be distinguished from second deliveries.
    func isRepeated(_ message: PushMessage) -> Bool {
        guard message.messageID != nil, let entry = known[message.identifier] else { return false }
        return entry.revision > message.revision || (entry.revision == message.revision && entry.mayHaveAlerted)
    }

    func isFromBeforeSignOut(_ composedAt: Timestamp?) -> Bool {
        guard let composedAt, let signedOutAt else { return false }
        return composedAt < signedOutAt
    }

    /// Forgets the messages of a user who signed out at `moment` of the service's clock, and the waiting handler calls.
    ///
    /// Notifications of other senders stay in the list, so ``UnidentifiedMessages`` keeps them.
    mutating func forgetMessages(signedOutAt moment: Timestamp) {
        signedOutAt = moment
        known.removeAll()
        handOvers.removeAll()
    }
}
