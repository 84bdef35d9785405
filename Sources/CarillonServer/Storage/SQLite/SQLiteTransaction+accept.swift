import CarillonCore
import Foundation
import GRDB

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

    /// The answer that the same idempotency key got before.
    private func repetition(of message: NewMessage) throws -> Acceptance? {
        guard let key = message.idempotencyKey,
            let row = try row("SELECT * FROM idempotency WHERE owner = ? AND key = ?", [key.owner, key.key])
        else { return nil }
        guard row["fingerprint"] == message.fingerprint else { return .refused(.idempotencyKeyReused) }
        return .repeated(
            SendAnswer(id: try row.messageID("message"), state: .accepted, devices: row["devices"]))
    }

    /// Why `message` does not replace the one with its id; `nil` when it does. The same body is a repetition: a caller
    /// that chose the id and lost the answer may ask again without a second alert.
    private func replacement(of row: Row, by message: NewMessage) throws -> Acceptance? {
        let topic: String = row["topic"]
        guard topic == message.topic else { return .refused(.otherTopic(topic)) }
        guard row["fingerprint"] == message.fingerprint else { return nil }
        // Somebody who only repeats a request must not bring back what somebody else has taken back meanwhile.
        guard row.timestamp("recalled") == nil else { return .refused(.recalled) }
        return .repeated(SendAnswer(id: message.id, state: .accepted, devices: row["devices"]))
    }

    private func audienceCount(_ message: NewMessage) throws -> Int {
        let (condition, names) = try Self.condition(message.audience)
        return try integer(
            "SELECT count(*) FROM devices WHERE topic = ? AND state = 'active' AND token IS NOT NULL AND \(condition)",
            [message.topic] + names)
    }

    /// What an audience means in SQL; names travel as one JSON array.
    private static func condition(_ audience: Audience) throws -> (sql: String, StatementArguments) {
        switch audience {
        case .everyone: ("true", [])
        case .users(let users): ("user IN (SELECT value FROM json_each(?))", [try json(users)])
        case .devices(let devices): ("id IN (SELECT value FROM json_each(?))", [try json(devices)])
        }
    }

    private static func json(_ names: [String]) throws -> String {
        String(decoding: try CarillonJSON.encode(names), as: UTF8.self)
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

    private func fillInbox(_ message: NewMessage) throws {
        guard message.countsAsUnread else {
            try execute("DELETE FROM inbox WHERE message = ?", [message.id.rawValue])
            return
        }
        let users: (sql: String, StatementArguments) =
            switch message.audience {
            case .users(let users): ("SELECT value AS user FROM json_each(?)", [try Self.json(users)])
            case .everyone, .devices:
                (
                    "SELECT user FROM deliveries WHERE message = ? AND purpose = 'show' AND user IS NOT NULL",
                    [message.id.rawValue]
                )
            }
        try execute(
            """
            INSERT INTO inbox (user, message, number)
            SELECT DISTINCT user, ?, (SELECT number FROM messages WHERE id = ?) FROM (\(users.sql)) WHERE true
            ON CONFLICT (user, message) DO UPDATE SET read = NULL
            """, [message.id.rawValue, message.id.rawValue] + users.1)
    }

    private func remember(_ message: NewMessage, devices: Int) throws {
        guard let key = message.idempotencyKey else { return }
        try execute(
            "INSERT INTO idempotency (owner, key, fingerprint, message, devices, at) VALUES (?, ?, ?, ?, ?, ?)",
            [
                key.owner, key.key, message.fingerprint, message.id.rawValue, devices, now.millisecondsSince1970,
            ])
    }
}
