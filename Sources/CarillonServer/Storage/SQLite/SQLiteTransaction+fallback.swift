import CarillonCore
import GRDB

/// The visible push of an assured message, which follows when no receipt has come in time; when, `DeliveryRule` decides.
extension SQLiteTransaction {
    /// Queues the visible push, unless the device has reported or the message was taken back meanwhile.
    mutating func queueFallback(of row: Row, due: Timestamp) throws {
        let device: String = row["device"]
        let message: Int64 = row["message"]
        let isAnswered = try integer(
            """
            SELECT count(*) FROM events WHERE message = ? AND device = ? AND revision = ? AND receipt IS NOT NULL
                AND event <> 'received'
            """, [message, device, row["revision"] as Int])
        let isWithdrawn = try integer(
            "SELECT count(*) FROM removals WHERE message = ? AND device = ?", [message, device])
        guard isAnswered == 0, isWithdrawn == 0 else { return }
        try execute(
            """
            INSERT INTO deliveries (message, device, purpose, user, revision, state, queued, due)
            VALUES (?, ?, 'fallback', ?, ?, 'queued', ?, ?)
            ON CONFLICT (message, device, purpose) DO UPDATE SET
                revision = excluded.revision, state = 'queued', attempt = 0, tries = 0, reach = 0, reach_before = 0,
                queued = excluded.queued, due = excluded.due, lease_owner = NULL, lease_until = NULL
            """,
            [
                message, device, row["user"] as String?, row["revision"] as Int, now.millisecondsSince1970,
                due.millisecondsSince1970,
            ])
    }

    /// The device has reported: the visible push is not needed.
    mutating func cancelFallback(
        of message: Int64, on device: String, because event: ReceiptEvent
    ) throws {
        let waiting = try row(
            """
            SELECT * FROM deliveries WHERE message = ? AND device = ? AND purpose = 'fallback' AND state = 'queued'
                AND lease_until IS NULL
            """, [message, device])
        if let waiting { try cancel(waiting, why: "not needed: the device reported \(event.rawValue)") }
    }
}
