import CarillonCore
import GRDB

extension SQLiteStore {
    public func record(
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

extension SQLiteTransaction {
    /// - Returns: whether the receipt is new and about a message of this device.
    fileprivate mutating func accept(_ receipt: Receipt, from device: String) throws -> Bool {
        let delivery = try row(
            "SELECT * FROM deliveries WHERE message = ? AND device = ? AND purpose = 'show'",
            [receipt.message.rawValue, device])
        guard let delivery, try isNew(receipt, from: device) else { return false }
        let revision = receipt.revision ?? 1
        try record(
            TimelineEvent(
                message: receipt.message, device: device, event: TimelineEventKind(receipt.event), at: receipt.at,
                revision: revision, detail: receipt.detail),
            receipt: receipt.id)
        try execute("UPDATE devices SET silent_unanswered = 0 WHERE id = ?", [device])
        // What is said of an earlier revision says nothing about the one that has replaced it.
        if revision >= delivery["revision"] { try followUp(receipt, delivery) }
        return true
    }

    /// The answer to receipts carries the unread count, and the SDK puts it on the icon.
    fileprivate func noteNumberTold(to device: String) throws {
        let row = try row("SELECT user FROM devices WHERE id = ? AND badge IS NOT NULL", [device])
        guard let user = row?.text("user") else { return }
        try execute("UPDATE devices SET badge = ? WHERE id = ?", [try unreadCount(of: user), device])
    }

    private func isNew(_ receipt: Receipt, from device: String) throws -> Bool {
        let known = try integer(
            "SELECT count(*) FROM events WHERE device = ? AND receipt = ?", [device, receipt.id])
        let count = try integer(
            "SELECT count(*) FROM events WHERE message = ? AND device = ? AND receipt IS NOT NULL",
            [receipt.message.rawValue, device])
        return known == 0 && count < ServiceLimits.receiptsPerDeviceAndMessage
    }

    private mutating func followUp(_ receipt: Receipt, _ delivery: Row) throws {
        let device: String = delivery["device"]
        // Whoever reports has it: the push whose answer never came has arrived after all.
        try execute(
            "UPDATE deliveries SET reach = max(reach, 1) WHERE number = ?", [delivery["number"] as Int64])
        if receipt.event != .received { try cancelFallback(of: receipt.message, on: device, because: receipt.event) }
        switch receipt.event {
        case .recalled, .expired:
            try execute(
                "UPDATE removals SET confirmed = ? WHERE device = ? AND message = ? AND confirmed IS NULL",
                [now.millisecondsSince1970, device, receipt.message.rawValue])
        case .opened:
            if let user: String = delivery["user"] { try read(receipt.message, user: user, on: device) }
        case .received, .shown, .acted, .dismissed: break
        }
    }

    private mutating func cancelFallback(
        of message: MessageID, on device: String, because event: ReceiptEvent
    ) throws {
        let waiting = try row(
            """
            SELECT * FROM deliveries WHERE message = ? AND device = ? AND purpose = 'fallback' AND state = 'queued'
                AND lease_until IS NULL
            """, [message.rawValue, device])
        if let waiting { try cancel(waiting, why: "not needed: the device reported \(event.rawValue)") }
    }
}
