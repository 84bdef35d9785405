import CarillonCore

/// The receipts of a message.
extension MessagePolicy {
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
    mutating func wasShown(
        _ identifier: String, attempt: Int = 1, delivered: Timestamp? = nil, at phoneNow: Timestamp
    ) {
        claim(.shown, of: identifier, at: phoneNow)
        guard known.wasShown(identifier, attempt: attempt, delivered: delivered) else { return }
        claim(.shown, of: identifier, detail: Receipt.shownAgain, at: phoneNow)
    }

    /// Records that iOS did not accept the notification: a later delivery counts as the first one.
    mutating func couldNotBeShown(_ identifier: String) { known.handedToSystem(identifier, false) }

    /// Writes the receipt of an expired message.
    mutating func hasExpired(_ identifier: String, _ reason: ExpiryGuard.Reason, at phoneNow: Timestamp) {
        claim(.expired, of: identifier, detail: reason.rawValue, at: phoneNow)
    }

    /// Writes a receipt, unless the same was written before, or the message is another sender's.
    ///
    /// - Parameters:
    ///   - event: what happened.
    ///   - identifier: of a message that was recorded.
    ///   - detail: why, or which action; the default is none.
    ///   - reply: what the person typed, if the message asks for it; the default is none.
    ///   - phoneNow: the phone's clock.
    mutating func claim(
        _ event: ReceiptEvent, of identifier: String, detail: String? = nil, reply: String? = nil,
        at phoneNow: Timestamp
    ) {
        guard known.claim(event, of: identifier, detail: detail), writesReceipts,
            let entry = known[identifier], let id = entry.messageID
        else { return }
        receipts.add(
            event, of: id, revision: entry.revision, at: time.now(phoneNow), detail: detail, reply: reply)
    }
}
