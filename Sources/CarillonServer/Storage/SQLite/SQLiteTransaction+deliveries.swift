import CarillonCore
import GRDB

/// The rows of the table `deliveries`: how they end, and how the pushes about no message begin.
extension SQLiteTransaction {
    /// Ends a delivery that is not in flight.
    mutating func cancel(_ row: Row, why: String) throws {
        try execute(
            "UPDATE deliveries SET state = 'cancelled', lease_owner = NULL, lease_until = NULL WHERE number = ?",
            [row["number"] as Int64])
        try record(
            TimelineEvent(
                message: try id(ofMessage: row["message"]), device: row["device"], event: .cancelled, at: now,
                purpose: try row.choice("purpose"), revision: row["revision"], detail: why), about: row["message"])
    }

    /// Ends a delivery that the service gives up by itself, and records why.
    mutating func finish(
        _ row: Row, as state: DeliveryState, _ event: TimelineEventKind, _ detail: String
    ) throws {
        try execute(
            "UPDATE deliveries SET state = ?, lease_owner = NULL, lease_until = NULL WHERE number = ?",
            [state.rawValue, row["number"] as Int64])
        try record(
            TimelineEvent(
                message: try id(ofMessage: row["message"]), device: row["device"], event: event, at: now,
                purpose: try row.choice("purpose"), revision: row["revision"], detail: detail), about: row["message"])
    }

    /// A push about no message leaves no row behind.
    func close(_ row: Row, as state: DeliveryState) throws {
        let number: Int64 = row["number"]
        if row.isAboutNoMessage {
            try execute("DELETE FROM deliveries WHERE number = ?", [number])
        } else {
            try execute(
                "UPDATE deliveries SET state = ?, lease_owner = NULL, lease_until = NULL WHERE number = ?",
                [state.rawValue, number])
        }
    }

    /// APNs did not take it, so it is where it was before the attempt.
    func restoreReach(_ row: Row) throws {
        try execute(
            "UPDATE deliveries SET reach = reach_before WHERE number = ?", [row["number"] as Int64])
        guard !row.isAboutNoMessage, row["reach_before"] == 0, row["purpose"] == PushPurpose.show.rawValue else {
            return
        }
        try execute(
            "DELETE FROM removals WHERE device = ? AND message = ? AND confirmed IS NULL",
            [row["device"] as String, row["message"] as Int64])
    }

    /// Queues a push that is about no message.
    ///
    /// One that waits already will say the same, so it is enough; one in flight was composed too early.
    func queuePush(_ purpose: PushPurpose, to device: String) throws {
        guard try !isWaiting(purpose, device) else { return }
        try queueOwnPush(purpose, to: device, due: now)
    }

    /// Whether a push of the service's own is queued and not in flight.
    func isWaiting(_ purpose: PushPurpose, _ device: String) throws -> Bool {
        try integer(
            """
            SELECT count(*) FROM deliveries
            WHERE device = ? AND state = 'queued' AND purpose = ? AND lease_until IS NULL
            """, [device, purpose.rawValue]) > 0
    }

    /// Queues a push of the service's own in any case, for a device that can be reached by the token the push is for.
    func queueOwnPush(_ purpose: PushPurpose, to device: String, due: Timestamp) throws {
        try execute("UPDATE devices SET push_revision = push_revision + 1 WHERE id = ?", [device])
        try execute(
            """
            INSERT INTO deliveries (message, device, purpose, user, revision, state, queued, due)
            SELECT NULL, id, ?, NULL, push_revision, 'queued', ?, ? FROM devices
            WHERE id = ? AND (? OR (state = 'active' AND token IS NOT NULL))
            """,
            [
                purpose.rawValue, now.millisecondsSince1970, due.millisecondsSince1970, device, purpose == .tokenClaim,
            ])
    }

    /// Cancels all that waits for a device and is not in flight.
    mutating func cancelWaiting(on device: String, why: String) throws {
        let waiting = try rows(
            "SELECT * FROM deliveries WHERE device = ? AND state = 'queued' AND lease_until IS NULL", [device])
        for row in waiting {
            if row.isAboutNoMessage {
                try execute("DELETE FROM deliveries WHERE number = ?", [row["number"] as Int64])
            } else {
                try cancel(row, why: why)
            }
        }
    }
}
