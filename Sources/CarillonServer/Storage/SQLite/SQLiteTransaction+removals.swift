import CarillonCore
import GRDB

extension Removal.Reason {
    /// What the timeline says of a delivery that had not begun.
    var cancellation: String {
        switch self {
        case .recall: "recalled before it was sent"
        case .read: "read on another device before it was sent"
        case .signOut: "the device signed out before it was sent"
        }
    }

    /// What the timeline says of the push that takes a message away.
    var why: String {
        switch self {
        case .recall: "recalled"
        case .read: "read on another device"
        case .signOut: "the device has signed out"
        }
    }
}

/// Messages that must leave a phone: the table `removals`, and the pushes that say so.
extension SQLiteTransaction {
    /// Cancels what has not begun and asks for the removal of what may have arrived.
    mutating func withdraw(_ row: Row, for reason: Removal.Reason) throws {
        let isQueued = row["state"] == DeliveryState.queued.rawValue
        let isLeased = (row["lease_until"] as Int64?) != nil
        let reach: Int = row["reach"]
        if isQueued, !isLeased { try cancel(row, why: reason.cancellation) }
        if reach > 0 {
            let removal = Removal(try row.messageID("message"), revision: row["revision"], reason: reason)
            try requestRemoval(removal, from: row["device"])
        }
    }

    /// Asks a device to remove a message, unless it was asked already for that revision or a later one.
    private mutating func requestRemoval(_ removal: Removal, from device: String) throws {
        try execute(
            """
            INSERT INTO removals (device, message, reason, requested, revision) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (device, message) DO UPDATE SET
                reason = excluded.reason, requested = excluded.requested, revision = excluded.revision, confirmed = NULL
            WHERE excluded.revision > removals.revision
            """,
            [
                device, removal.message.rawValue, removal.reason.rawValue, now.millisecondsSince1970, removal.revision,
            ])
        guard db.changesCount > 0 else { return }
        let dialect = try row("SELECT dialect FROM messages WHERE id = ?", [removal.message.rawValue])
        if dialect?["dialect"] == MessageDialect.pushwoosh.rawValue {
            try queueRemovalInDialect(removal, from: device)
        } else {
            try queuePush(.removal, to: device)
        }
    }

    /// Pushwoosh's `dlt` names one message, so each has a push of its own.
    private func queueRemovalInDialect(_ removal: Removal, from device: String) throws {
        try execute(
            """
            INSERT INTO deliveries (message, device, purpose, user, revision, state, queued, due)
            SELECT ?, id, 'removal', NULL, ?, 'queued', ?, ? FROM devices
            WHERE id = ? AND state = 'active' AND token IS NOT NULL
            ON CONFLICT (message, device, purpose) DO UPDATE SET
                revision = excluded.revision, state = 'queued', attempt = 0, tries = 0, queued = excluded.queued,
                due = excluded.due, lease_owner = NULL, lease_until = NULL
            """,
            [
                removal.message.rawValue, removal.revision, now.millisecondsSince1970, now.millisecondsSince1970,
                device,
            ])
    }

    /// The device's unconfirmed removals, newest first.
    func openRemovals(of device: String, limit: Int) throws -> [Removal] {
        try rows(
            """
            SELECT message, revision, reason FROM removals WHERE device = ? AND confirmed IS NULL
            ORDER BY requested DESC, message LIMIT ?
            """, [device, limit]
        ).map { row in
            Removal(
                try row.messageID("message"), revision: row["revision"],
                reason: try row.choice("reason") as Removal.Reason)
        }
    }
}
