import CarillonCore
import Foundation
import GRDB

extension SQLiteStore {
    package func accept(_ message: NewMessage, at now: Timestamp) async throws -> Acceptance {
        try await write(at: now) { try $0.accept(message) }
    }
}

extension SQLiteTransaction {
    mutating func accept(_ message: NewMessage) throws -> Acceptance {
        if let earlier = try repetition(of: message) { return earlier }
        let existing = try row(
            "SELECT * FROM messages WHERE app = ? AND id = ?", [message.app.number.rawValue, message.id.rawValue])
        if let existing, let answer = try answer(instead: existing, of: message) { return answer }

        let count = try audienceCount(message)
        guard count <= ServiceLimits.audienceDevices else { return .refused(.audienceTooLarge(count)) }
        let revision = (existing?["revision"] ?? 0) + 1
        let number = try write(message, revision: revision, devices: count)
        if existing != nil { try withdrawFromOthers(message, number) }
        try queue(message, number, revision: revision)
        let former: Data? = existing?["audience"]
        if existing != nil, former != message.audience.fingerprint { try emptyOtherInboxes(message, number, revision) }
        try fillInbox(message, number, revision)
        try remember(message, number, devices: count)
        return .accepted(SendAnswer(id: message.id, state: .accepted, devices: count), events)
    }

    /// The answer to a message that does not replace the one with its id; `nil` when it does.
    ///
    /// The same body is a repetition: a caller that chose the id and lost the answer may ask again without a second
    /// alert.
    private func answer(instead row: Row, of message: NewMessage) throws -> Acceptance? {
        if row["fingerprint"] == message.fingerprint {
            // Who only repeats a request must not bring back what somebody else has taken back meanwhile.
            guard row.timestamp("recalled") == nil else { return .refused(.recalled) }
            return .repeated(SendAnswer(id: message.id, state: .accepted, devices: row["devices"]))
        }
        guard try message.replacesOtherAudience || isForTheSame(row, as: message) else {
            return .refused(.otherAudience)
        }
        return nil
    }

    /// Whether nobody loses the message by its replacement, and nobody else gets it.
    private func isForTheSame(_ row: Row, as message: NewMessage) throws -> Bool {
        if let fingerprint: Data = row["audience"] { return fingerprint == message.audience.fingerprint }
        // Accepted before audiences were kept: it is enough that nobody loses it.
        let number: Int64 = row["number"]
        guard case .users(let users) = message.audience else {
            let (condition, names) = try Self.condition(message)
            return try integer(
                """
                SELECT count(*) FROM deliveries WHERE message = ? AND purpose = 'show'
                    AND device NOT IN (SELECT id FROM devices WHERE \(condition))
                """, [number] + names) == 0
        }
        return try integer(
            "SELECT count(*) FROM inbox WHERE message = ? AND user NOT IN (SELECT value FROM json_each(?))",
            [number, try Self.json(users)]) == 0
    }

    /// - Returns: the message's number.
    private func write(_ message: NewMessage, revision: Int, devices: Int) throws -> Int64 {
        let row = try row(
            """
            INSERT INTO messages (app, id, mode, until, payload, badge_is_unread, fingerprint, audience, revision,
                devices, accepted, dialect)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (app, id) DO UPDATE SET
                mode = excluded.mode, until = excluded.until, payload = excluded.payload,
                badge_is_unread = excluded.badge_is_unread, fingerprint = excluded.fingerprint,
                audience = excluded.audience, revision = excluded.revision, devices = excluded.devices,
                accepted = excluded.accepted, dialect = excluded.dialect, recalled = NULL
            RETURNING number
            """,
            [
                message.app.number.rawValue, message.id.rawValue, message.mode.rawValue,
                message.until?.millisecondsSince1970, message.payload, message.badgeIsUnreadCount,
                message.fingerprint, message.audience.fingerprint, revision, devices, now.millisecondsSince1970,
                message.dialect.rawValue,
            ])
        guard let row else { throw ServiceError(.storage, "the message was not written") }
        return row["number"]
    }

    /// Devices that are no longer addressed lose the message: what is queued is not sent, what may have arrived is
    /// removed.
    private mutating func withdrawFromOthers(_ message: NewMessage, _ number: Int64) throws {
        let (condition, names) = try Self.condition(message)
        let outside = try rows(
            """
            SELECT * FROM deliveries WHERE message = ? AND purpose <> 'removal'
                AND device NOT IN (SELECT id FROM devices WHERE \(condition)) ORDER BY number
            """, [number] + names)
        for row in outside { try withdraw(row, for: .replaced) }
        let fallbacks = try rows(
            "SELECT * FROM deliveries WHERE message = ? AND state = 'queued' AND purpose = 'fallback'", [number])
        for row in fallbacks { try cancel(row, why: Removal.Reason.replaced.cancellation) }
    }

    private mutating func queue(_ message: NewMessage, _ number: Int64, revision: Int) throws {
        let (condition, names) = try Self.condition(message)
        try execute(
            """
            INSERT INTO deliveries (message, device, purpose, user, revision, state, queued, due)
            SELECT ?, id, 'show', user, ?, 'queued', ?, ? FROM devices
            WHERE state = 'active' AND token IS NOT NULL AND \(condition)
            ON CONFLICT (message, device, purpose) DO UPDATE SET
                user = excluded.user, revision = excluded.revision, state = 'queued', attempt = 0, tries = 0,
                queued = excluded.queued, due = excluded.due, lease_owner = NULL, lease_until = NULL
            """, [number, revision, now.millisecondsSince1970, now.millisecondsSince1970] + names)
        // A device that was asked to remove the earlier revision is to show this one.
        try execute(
            """
            DELETE FROM removals WHERE message = ? AND device IN
                (SELECT device FROM deliveries WHERE message = ? AND revision = ? AND purpose = 'show')
            """, [number, number, revision])
        let queued = try rows(
            "SELECT device FROM deliveries WHERE message = ? AND revision = ? AND purpose = 'show' ORDER BY device",
            [number, revision])
        for row in queued {
            try record(
                TimelineEvent(
                    message: message.id, device: row["device"], event: .queued, at: now, purpose: .show,
                    revision: revision), about: number)
        }
    }
}
