import CarillonCore

/// Decides about the messages on this phone: which may be shown, which must go, and which receipts are true.
///
/// A value that the app and its service extension share through the store. A method that is `package` is a decision about
/// something that has happened: it changes this value and returns a ``MessagePlan``, or at once what the caller asks. The
/// decisions go by the service's clock (``ServiceTime``), which they know from the phone's.
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
    /// When somebody signed out last, by the service's clock; pushes that were composed before may be meant for them.
    var signedOutAt: Timestamp?
    /// Whether receipts are written at all; a person may object to them.
    package var writesReceipts = true

    /// - Parameter receiptPrefix: random; see ``ReceiptQueue/prefix``.
    package init(receiptPrefix: String) { receipts = ReceiptQueue(prefix: receiptPrefix) }

    // MARK: What is known

    /// Records a message that was seen outside of a push: in the list of delivered notifications, or in a response.
    mutating func record(_ message: PushMessage, at phoneNow: Timestamp) {
        known.record(message, at: time.now(phoneNow))
    }

    /// Whether a message may (still) be seen; to be asked again after every answer of iOS.
    func mayBeSeen(_ message: PushMessage, at phoneNow: Timestamp) -> Bool {
        let now = time.now(phoneNow)
        return !tombstones.contains(message.removalName, revision: message.revision, at: now)
            && !ExpiryGuard.hasExpired(until: message.until, at: now)
    }

    /// Whether the person may have been alerted to this revision, or to a newer one.
    ///
    /// `false` for other senders: they use their ids again for new messages, and nothing distinguishes those from second
    /// deliveries.
    func isRepeated(_ message: PushMessage) -> Bool {
        guard message.messageID != nil, let entry = known[message.identifier] else { return false }
        return entry.revision > message.revision || (entry.revision == message.revision && entry.mayHaveAlerted)
    }

    func isFromBeforeSignOut(_ composedAt: Timestamp?) -> Bool {
        guard let composedAt, let signedOutAt else { return false }
        return composedAt < signedOutAt
    }

    /// Forgets the messages of a user who has signed out at a moment of the service's clock.
    ///
    /// Other senders' notifications stay in the list, so they stay known.
    mutating func forgetMessages(signedOutAt moment: Timestamp) {
        signedOutAt = moment
        known.removeAll()
        handOvers.removeAll()
    }
}
