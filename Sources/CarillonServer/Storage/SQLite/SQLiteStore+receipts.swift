import CarillonCore
import GRDB

extension SQLiteStore {
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

extension SQLiteTransaction {
    /// - Returns: whether the receipt is new and about a message of this device.
    fileprivate mutating func accept(_ receipt: Receipt, from device: String) throws -> Bool {
        // Only a message of the device's own app can have been for it.
        let known = try row(
            """
            SELECT messages.number, messages.accepted, messages.keeps_replies, devices.app, devices.user FROM devices
                JOIN messages ON messages.app = devices.app AND messages.id = ?
            WHERE devices.id = ?
            """, [receipt.message.rawValue, device])
        guard let known, var stored = try delivery(of: known["number"], on: device),
            try isNew(receipt, about: stored.message, from: device)
        else { return false }
        let revision = receipt.revision ?? 1
        try record(
            TimelineEvent(
                message: receipt.message, device: device, event: TimelineEventKind(receipt.event),
                at: clamped(receipt.at, since: try known.requiredTimestamp("accepted")), revision: revision,
                detail: receipt.detail, reply: known["keeps_replies"] ? receipt.reply : nil),
            about: stored.message, receipt: receipt.id)
        try execute("UPDATE devices SET silent_unanswered = 0 WHERE id = ?", [device])
        let isCurrent = revision >= stored.delivery.show.revision
        try receive(.reported(receipt.event, revision: revision), for: &stored)
        if receipt.event == .opened, isCurrent, let user = try known.user(),
            stored.owner.map({ UserID.isEqual($0, user.id) }) ?? true
        {
            try read(stored.message, user: user, on: device)
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
