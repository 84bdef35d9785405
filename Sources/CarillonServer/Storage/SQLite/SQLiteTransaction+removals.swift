import CarillonCore
import GRDB

extension Removal.Reason {
    /// What the timeline says of a delivery that had not begun.
    var cancellation: String {
        switch self {
        case .recall: "recalled before it was sent"
        case .read: "read on another device before it was sent"
        case .signOut: "the device signed out before it was sent"
        case .replaced: "replaced by a newer revision, for others, before it was sent"
        }
    }

    /// What the timeline says of the push that takes a message away.
    var why: String {
        switch self {
        case .recall: "recalled"
        case .read: "read on another device"
        case .signOut: "the device has signed out"
        case .replaced: "replaced by a newer revision, for others"
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
            try requestRemoval(of: row["message"], revision: row["revision"], reason, from: row["device"])
        }
    }

    /// Asks a device to remove a message, unless it was asked already for that revision or a later one.
    private mutating func requestRemoval(
        of message: Int64, revision: Int, _ reason: Removal.Reason, from device: String
    ) throws {
        try execute(
            """
            INSERT INTO removals (device, message, reason, requested, revision) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (device, message) DO UPDATE SET
                reason = excluded.reason, requested = excluded.requested, revision = excluded.revision, confirmed = NULL
            WHERE excluded.revision > removals.revision
            """,
            [device, message, reason.rawValue, now.millisecondsSince1970, revision])
        guard db.changesCount > 0 else { return }
        let dialect = try row("SELECT dialect FROM messages WHERE number = ?", [message])
        if dialect?["dialect"] == MessageDialect.pushwoosh.rawValue {
            try queueRemovalInDialect(of: message, revision: revision, from: device)
        } else {
            try queuePush(.removal, to: device)
        }
    }

    /// Pushwoosh's `dlt` names one message, so each has a push of its own.
    private func queueRemovalInDialect(of message: Int64, revision: Int, from device: String) throws {
        try execute(
            """
            INSERT INTO deliveries (message, device, purpose, user, revision, state, queued, due)
            SELECT ?, id, 'removal', NULL, ?, 'queued', ?, ? FROM devices
            WHERE id = ? AND state = 'active' AND token IS NOT NULL
            ON CONFLICT (message, device, purpose) DO UPDATE SET
                revision = excluded.revision, state = 'queued', attempt = 0, tries = 0, queued = excluded.queued,
                due = excluded.due, lease_owner = NULL, lease_until = NULL
            """,
            [message, revision, now.millisecondsSince1970, now.millisecondsSince1970, device])
    }

    /// The device's unconfirmed removals, newest first.
    func openRemovals(of device: String, limit: Int) throws -> [Removal] {
        try openRemovalRows(of: device, limit: limit).map { row in
            Removal(
                try row.messageID("id"), revision: row["revision"],
                reason: try row.choice("reason") as Removal.Reason)
        }
    }

    /// The same as rows: `message` (the number), `id`, `revision`, `reason`.
    func openRemovalRows(of device: String, limit: Int) throws -> [Row] {
        try rows(
            """
            SELECT removals.message, messages.id, removals.revision, removals.reason
            FROM removals JOIN messages ON messages.number = removals.message
            WHERE removals.device = ? AND removals.confirmed IS NULL
            ORDER BY removals.requested DESC, messages.id LIMIT ?
            """, [device, limit])
    }
}
