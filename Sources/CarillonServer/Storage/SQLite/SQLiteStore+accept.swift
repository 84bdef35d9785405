import CarillonCore
import GRDB

extension SQLiteStore {
    package func accept(_ message: NewMessage, at now: Timestamp) async throws -> Acceptance {
        try await write(at: now) { try $0.accept(message) }
    }
}

extension SQLiteTransaction {
    mutating func accept(_ message: NewMessage) throws -> Acceptance {
        if let earlier = try repetition(of: message) { return earlier }
        let existing = try row("SELECT * FROM messages WHERE id = ?", [message.id.rawValue])
        if let existing, let refusal = try replacement(of: existing, by: message) { return refusal }

        let count = try audienceCount(message)
        guard count <= ServiceLimits.audienceDevices else { return .refused(.audienceTooLarge(count)) }
        let revision = (existing?["revision"] ?? 0) + 1
        try write(message, revision: revision, devices: count)
        if revision > 1 { try cancelOutside(message, revision: revision) }
        try queue(message, revision: revision)
        try fillInbox(message)
        try remember(message, devices: count)
        return .accepted(SendAnswer(id: message.id, state: .accepted, devices: count), events)
    }

    /// The answer to a message that does not replace the one with its id; `nil` when it does.
    ///
    /// The same body is a repetition: a caller that chose the id and lost the answer may ask again without a second
    /// alert.
    private func replacement(of row: Row, by message: NewMessage) throws -> Acceptance? {
        let topic: String = row["topic"]
        guard topic == message.topic else { return .refused(.otherTopic(topic)) }
        guard row["fingerprint"] == message.fingerprint else { return nil }
        // Somebody who only repeats a request must not bring back what somebody else has taken back meanwhile.
        guard row.timestamp("recalled") == nil else { return .refused(.recalled) }
        return .repeated(SendAnswer(id: message.id, state: .accepted, devices: row["devices"]))
    }

    private func write(_ message: NewMessage, revision: Int, devices: Int) throws {
        try execute(
            """
            INSERT INTO messages
                (id, topic, mode, until, payload, badge_is_unread, fingerprint, revision, devices, accepted, dialect)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET
                mode = excluded.mode, until = excluded.until, payload = excluded.payload,
                badge_is_unread = excluded.badge_is_unread, fingerprint = excluded.fingerprint,
                revision = excluded.revision, devices = excluded.devices, accepted = excluded.accepted,
                dialect = excluded.dialect, recalled = NULL
            """,
            [
                message.id.rawValue, message.topic, message.mode.rawValue, message.until?.millisecondsSince1970,
                message.payload, message.badgeIsUnreadCount, message.fingerprint, revision, devices,
                now.millisecondsSince1970, message.dialect.rawValue,
            ])
    }

    /// A replacement's audience may be smaller: what is still queued for others is not sent.
    private mutating func cancelOutside(_ message: NewMessage, revision: Int) throws {
        let (condition, names) = try Self.condition(message.audience)
        let outside = try rows(
            """
            SELECT * FROM deliveries WHERE message = ? AND state = 'queued'
                AND (purpose = 'fallback' OR device NOT IN (SELECT id FROM devices WHERE \(condition)))
            """, [message.id.rawValue] + names)
        for row in outside { try cancel(row, why: "replaced by a newer revision") }
    }

    private mutating func queue(_ message: NewMessage, revision: Int) throws {
        let (condition, names) = try Self.condition(message.audience)
        try execute(
            """
            INSERT INTO deliveries (message, device, purpose, user, revision, state, queued, due)
            SELECT ?, id, 'show', user, ?, 'queued', ?, ? FROM devices
            WHERE topic = ? AND state = 'active' AND token IS NOT NULL AND \(condition)
            ON CONFLICT (message, device, purpose) DO UPDATE SET
                user = excluded.user, revision = excluded.revision, state = 'queued', attempt = 0, tries = 0,
                queued = excluded.queued, due = excluded.due, lease_owner = NULL, lease_until = NULL
            """,
            [
                message.id.rawValue, revision, now.millisecondsSince1970, now.millisecondsSince1970, message.topic,
            ] + names)
        // A device that was asked to remove the earlier revision is to show this one.
        try execute(
            """
            DELETE FROM removals WHERE message = ? AND device IN
                (SELECT device FROM deliveries WHERE message = ? AND revision = ? AND purpose = 'show')
            """, [message.id.rawValue, message.id.rawValue, revision])
        let queued = try rows(
            "SELECT device FROM deliveries WHERE message = ? AND revision = ? AND purpose = 'show' ORDER BY device",
            [message.id.rawValue, revision])
        for row in queued {
            try record(
                TimelineEvent(
                    message: message.id, device: row["device"], event: .queued, at: now, purpose: .show,
                    revision: revision))
        }
    }
}
