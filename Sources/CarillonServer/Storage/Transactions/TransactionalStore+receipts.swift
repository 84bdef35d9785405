import CarillonCore

extension TransactionalStore {
    package func record(
        _ receipts: [Receipt], from device: String, at now: Timestamp
    ) async throws -> ReceiptOutcome {
        try await write(at: now) { transaction in
            var recorded: [Receipt] = []
            for receipt in receipts where try transaction.accept(receipt, from: device) { recorded.append(receipt) }
            if !recorded.isEmpty { try transaction.noteNumberTold(to: device) }
            return ReceiptOutcome(recorded: recorded, events: transaction.events)
        }
    }
}

extension StoreTransaction {
    /// - Returns: whether the receipt is new and about a message of this device.
    fileprivate mutating func accept(_ receipt: Receipt, from device: String) throws -> Bool {
        // Only a message of the device's own app can have been for it.
        let known = try row(
            """
            SELECT messages.number, messages.accepted, messages.keeps_replies, devices.app, devices.user FROM devices
                JOIN messages ON messages.app = devices.app AND messages.id = ?
            WHERE devices.id = ?
            """, [receipt.message.rawValue, device])
        guard let known, var stored = try delivery(of: known["number"], on: device) else { return false }
        let revision = receipt.revision ?? 1
        let event = TimelineEvent(
            message: receipt.message, device: device, event: TimelineEventKind(receipt.event),
            at: clamped(receipt.at, since: try known.requiredTimestamp("accepted")), revision: revision,
            detail: receipt.detail, reply: known["keeps_replies"] ? receipt.reply : nil)
        guard try keep(event, receipt: receipt, of: &stored) else { return false }
        try execute("UPDATE devices SET silent_unanswered = 0 WHERE id = ?", [device])
        let isCurrent = revision >= stored.delivery.show.revision
        try receive(.reported(receipt.event, revision: revision), for: &stored)
        if receipt.event == .opened, isCurrent, let user = try known.user(),
            stored.isRanged || stored.owner.map({ UserID.isEqual($0, user.id) }) ?? true
        {
            try read(stored.message, user: user, on: device)
        }
        return true
    }

    /// Keeps what a device has reported: with all that it says, or as one bit where that is all.
    ///
    /// - Returns: whether it is new.
    private mutating func keep(_ event: TimelineEvent, receipt: Receipt, of stored: inout StoredDelivery) throws -> Bool
    {
        guard stored.isRanged, let place = try stored.place ?? place(of: stored.message, on: stored.device) else {
            guard try isNew(receipt, about: stored.message, from: stored.device) else { return false }
            try record(event, about: stored.message, receipt: receipt.id)
            return true
        }
        let isCurrent = (receipt.revision ?? 1) >= stored.delivery.show.revision
        let isKnown = try chunk(place.chunk)?.chunk.answers(at: place.place).contains(ReceiptSet(receipt.event)) == true
        if event.detail != nil || event.reply != nil {
            guard try isNew(receipt, about: stored.message, from: stored.device) else { return false }
            // What says more than a bit is found, and erased, by the rows of its device.
            if let place = stored.place { try giveRows(&stored, at: place) }
            try record(event, about: stored.message, receipt: receipt.id)
        } else if isKnown || !isCurrent {
            // Of a revision that was replaced nothing is kept.
            return false
        } else {
            // Whether a second alert was seen is told from when each came.
            if stored.fallback == nil {
                tell(event)
            } else {
                try record(event, about: stored.message, receipt: receipt.id)
            }
        }
        let now = now
        guard isCurrent else { return true }
        try change(place.chunk) { chunk in
            chunk.note(ReceiptSet(receipt.event), at: place.place)
            chunk.reportedAt = now
        }
        return true
    }

    /// When it happened: a phone's clock may say anything, but nothing happens before the message was accepted, nor in
    /// the future.
    private func clamped(_ moment: Timestamp, since accepted: Timestamp) -> Timestamp {
        min(max(moment, accepted), now)
    }

    private func isNew(_ receipt: Receipt, about message: Int64, from device: String) throws -> Bool {
        let known = try integer(
            "SELECT count(*) FROM events WHERE device = ? AND receipt = ?", [device, receipt.id])
        let count = try integer(
            "SELECT count(*) FROM events WHERE message = ? AND device = ? AND receipt IS NOT NULL",
            [message, device])
        return known == 0 && count < ServiceLimits.receiptsPerDeviceAndMessage
    }
}
