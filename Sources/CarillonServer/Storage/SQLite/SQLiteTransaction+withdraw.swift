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
}

extension Removal.Reason {
    /// What the timeline says of the push that takes a message away.
    var why: String {
        switch self {
        case .recall: "recalled"
        case .read: "read on another device"
        case .signOut: "the device has signed out"
        }
    }
}

extension SQLiteTransaction {
    /// Takes a message back from everyone.
    mutating func recall(_ message: MessageID) throws {
        try execute(
            "UPDATE messages SET recalled = ? WHERE id = ?", [now.millisecondsSince1970, message.rawValue])
        let users = try rows("SELECT user FROM inbox WHERE message = ? AND read IS NULL", [message.rawValue])
        let deliveries = try rows(
            "SELECT * FROM deliveries WHERE message = ? AND purpose <> 'removal' ORDER BY number", [message.rawValue])
        for row in deliveries {
            try withdraw(row, for: .recall)
        }
        for row in users { try queueBadge(for: row["user"], except: nil) }
    }

    /// A user has read a message, on `device` or elsewhere: it disappears from the user's other devices.
    mutating func read(_ message: MessageID, user: String, on device: String?) throws {
        try execute(
            "UPDATE inbox SET read = ? WHERE user = ? AND message = ? AND read IS NULL",
            [now.millisecondsSince1970, user, message.rawValue])
        let wasUnread = db.changesCount > 0
        let others = try rows(
            """
            SELECT * FROM deliveries WHERE message = ? AND user = ? AND device IS NOT ? AND NOT EXISTS
                (SELECT 1 FROM events WHERE events.message = deliveries.message AND events.device = deliveries.device
                    AND events.revision = deliveries.revision AND event IN ('opened', 'dismissed', 'expired'))
            ORDER BY number
            """, [message.rawValue, user, device])
        for row in others { try withdraw(row, for: .read) }
        if wasUnread { try queueBadge(for: user, except: device) }
    }

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

    /// Ends a delivery that is not in flight.
    mutating func cancel(_ row: Row, why: String) throws {
        try execute(
            "UPDATE deliveries SET state = 'cancelled', lease_owner = NULL, lease_until = NULL WHERE number = ?",
            [row["number"] as Int64])
        try record(
            TimelineEvent(
                message: try row.messageID("message"), device: row["device"], event: .cancelled, at: now,
                purpose: try row.choice("purpose"), revision: row["revision"], detail: why))
    }

    mutating func requestRemoval(_ removal: Removal, from device: String) throws {
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

    /// Queues a push that is about no message. One that waits already will say the same, so it is enough; one in
    /// flight was composed too early.
    func queuePush(_ purpose: PushPurpose, to device: String) throws {
        let waiting = try integer(
            """
            SELECT count(*) FROM deliveries
            WHERE device = ? AND state = 'queued' AND purpose = ? AND lease_until IS NULL
            """, [device, purpose.rawValue])
        guard waiting == 0 else { return }
        try execute("UPDATE devices SET push_revision = push_revision + 1 WHERE id = ?", [device])
        try execute(
            """
            INSERT INTO deliveries (message, device, purpose, user, revision, state, queued, due)
            SELECT NULL, id, ?, NULL, push_revision, 'queued', ?, ? FROM devices
            WHERE id = ? AND state = 'active' AND token IS NOT NULL
            """, [purpose.rawValue, now.millisecondsSince1970, now.millisecondsSince1970, device])
    }

    /// The user's unread count has changed: devices to which nothing else travels get the number alone.
    ///
    /// `device` is where it was changed; it learns the number from the answer.
    func queueBadge(for user: String, except device: String?) throws {
        let silentDevices = try rows(
            """
            SELECT id FROM devices WHERE user = ? AND id IS NOT ? AND state = 'active' AND token IS NOT NULL
                AND badge IS NOT NULL AND badge <> ?
                AND NOT EXISTS (SELECT 1 FROM deliveries WHERE device = devices.id AND state = 'queued'
                    AND purpose = 'removal')
            """, [user, device, try unreadCount(of: user)])
        for row in silentDevices { try queuePush(.badge, to: row["id"]) }
    }
}
