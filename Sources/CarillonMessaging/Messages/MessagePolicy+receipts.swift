import CarillonCore

/// Decisions about the receipts of a message.
extension MessagePolicy {
    /// Writes the receipt of a message that was shown, and a second receipt if the person was alerted again.
    ///
    /// The person was alerted again if this delivery attempt had a banner or a sound, and one of these is true:
    ///
    /// - (a) Another attempt was shown too.
    /// - (b) The notification has a new date, because the network has delivered the push twice and no service extension has
    ///   silenced the second delivery.
    ///
    /// - Parameters:
    ///   - identifier: the message's identifier.
    ///   - attempt: the number of the delivery attempt, from the push; the default is 1.
    ///   - delivered: the notification's date, which changes if iOS shows the identifier again. `nil`, the default, means
    ///     unknown.
    ///   - phoneNow: the phone's time.
    mutating func markShown(
        _ identifier: String, attempt: Int = 1, delivered: Timestamp? = nil, at phoneNow: Timestamp
    ) {
        claim(.shown, of: identifier, at: phoneNow)
        guard known.markShown(identifier, attempt: attempt, delivered: delivered) else { return }
        claim(.shown, of: identifier, detail: Receipt.shownAgain, at: phoneNow)
    }

    /// Records that iOS did not accept the notification, so that the next delivery counts as the first one.
    mutating func couldNotBeShown(_ identifier: String) { known.handedToSystem(identifier, false) }

    /// Writes a receipt, unless it was written before or another push provider sent the message.
    ///
    /// - Parameters:
    ///   - event: the receipt's event.
    ///   - identifier: the identifier of a recorded message.
    ///   - detail: the reason or the action; the default is none.
    ///   - reply: the person's text, if the message asks for it; the default is none.
    ///   - phoneNow: the phone's time.
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
