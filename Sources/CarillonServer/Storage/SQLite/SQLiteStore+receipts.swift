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
        let delivery = try row(
            """
            SELECT deliveries.*, devices.app, devices.user AS device_user, messages.accepted FROM devices
                JOIN messages ON messages.app = devices.app AND messages.id = ?
                JOIN deliveries ON deliveries.message = messages.number AND deliveries.device = devices.id
                    AND deliveries.purpose = 'show'
            WHERE devices.id = ?
            """, [receipt.message.rawValue, device])
        guard let delivery, try isNew(receipt, about: delivery["message"], from: device) else { return false }
        let revision = receipt.revision ?? 1
        try record(
            TimelineEvent(
                message: receipt.message, device: device, event: TimelineEventKind(receipt.event),
                at: try clamped(receipt.at, delivery), revision: revision, detail: receipt.detail),
            about: delivery["message"], receipt: receipt.id)
        try execute("UPDATE devices SET silent_unanswered = 0 WHERE id = ?", [device])
        // What is said of an earlier revision says nothing about the one that has replaced it.
        if revision >= delivery["revision"] { try followUp(receipt, delivery) }
        return true
    }

    /// When it happened: a phone's clock may say anything, but nothing happens before the message was accepted, nor in
    /// the future.
    private func clamped(_ moment: Timestamp, _ delivery: Row) throws -> Timestamp {
        min(max(moment, try delivery.requiredTimestamp("accepted")), now)
    }

    private func isNew(_ receipt: Receipt, about message: Int64, from device: String) throws -> Bool {
        let known = try integer(
            "SELECT count(*) FROM events WHERE device = ? AND receipt = ?", [device, receipt.id])
        let count = try integer(
            "SELECT count(*) FROM events WHERE message = ? AND device = ? AND receipt IS NOT NULL",
            [message, device])
        return known == 0 && count < ServiceLimits.receiptsPerDeviceAndMessage
    }

    private mutating func followUp(_ receipt: Receipt, _ delivery: Row) throws {
        let device: String = delivery["device"]
        let message: Int64 = delivery["message"]
        // Whoever reports has it: the push whose answer never came has arrived after all.
        try execute(
            "UPDATE deliveries SET reach = max(reach, 1) WHERE number = ?", [delivery["number"] as Int64])
        if receipt.event != .received { try cancelFallback(of: message, on: device, because: receipt.event) }
        switch receipt.event {
        case .recalled, .expired:
            try execute(
                "UPDATE removals SET confirmed = ? WHERE device = ? AND message = ? AND confirmed IS NULL",
                [now.millisecondsSince1970, device, message])
        case .opened:
            if let user = try delivery.user(), UserID.isEqual(user.id, delivery.text("device_user")) {
                try read(message, user: user, on: device)
            }
        case .received, .shown, .acted, .dismissed: break
        }
    }
}
