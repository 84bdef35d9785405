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
        try queue(message, number, revision: revision, devices: count)
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
            let (condition, names) = try condition(message.audience, of: message.app.number)
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
                devices, accepted, dialect, everyone, remove_expired, expires, keeps_replies)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (app, id) DO UPDATE SET
                mode = excluded.mode, until = excluded.until, payload = excluded.payload,
                badge_is_unread = excluded.badge_is_unread, fingerprint = excluded.fingerprint,
                audience = excluded.audience, revision = excluded.revision, devices = excluded.devices,
                accepted = excluded.accepted, dialect = excluded.dialect, everyone = excluded.everyone,
                remove_expired = excluded.remove_expired, expires = excluded.expires,
                keeps_replies = excluded.keeps_replies, recalled = NULL, notice = NULL
            RETURNING number
            """,
            [
                message.app.number.rawValue, message.id.rawValue, message.mode.rawValue,
                message.until?.millisecondsSince1970, message.payload, message.badgeIsUnreadCount,
                message.fingerprint, message.audience.fingerprint, revision, devices, now.millisecondsSince1970,
                message.dialect.rawValue, message.audience.isBroadcast, message.removesExpired,
                message.removesExpired ? message.until?.millisecondsSince1970 : nil, message.keepsReplies,
            ])
        guard let row else { throw ServiceError(.storage, "the message was not written") }
        // What was to become of an earlier revision is not what is to become of this one.
        try execute("DELETE FROM work WHERE message = ?", [row["number"] as Int64])
        return row["number"]
    }

    /// Devices that are no longer addressed lose the message: what is queued is not sent, what may have arrived is
    /// removed.
    private mutating func withdrawFromOthers(_ message: NewMessage, _ number: Int64) throws {
        let (condition, names) = try condition(message.audience, of: message.app.number)
        try receive(
            .withdrawn(.replaced),
            for: try deliveries(
                where: """
                    show.message = ? AND show.device NOT IN (SELECT id FROM devices WHERE \(condition))
                    ORDER BY show.number
                    """, [number] + names))
    }

    /// Queues the message for each device that it is addressed to: those that had it before, and the others.
    private mutating func queue(_ message: NewMessage, _ number: Int64, revision: Int, devices: Int) throws {
        let (condition, names) = try condition(message.audience, of: message.app.number)
        let addressed = "state = 'active' AND token IS NOT NULL AND \(condition)"
        if revision > 1 {
            let known = try deliveries(
                where: "show.message = ? AND show.device IN (SELECT id FROM devices WHERE \(addressed))",
                [number] + names)
            for var delivery in known {
                delivery.owner = try row("SELECT user FROM devices WHERE id = ?", [delivery.device])?.text("user")
                let user = message.audience.isBroadcast ? nil : delivery.owner
                try receive(.accepted(revision: revision, user: user), for: &delivery)
            }
        }
        let push = Push(revision: revision, queued: now, due: now)
        let new = try rows(
            """
            INSERT INTO deliveries (message, device, purpose, user, channel, lane, \(Push.columns.joined(separator: ", ")))
            SELECT ?, id, 'show', user, \(Self.channelOfDevice), ?\(String(repeating: ", ?", count: Push.columns.count))
            FROM devices WHERE \(addressed) ORDER BY id
            ON CONFLICT (message, device, purpose) DO NOTHING RETURNING device
            """, [number, DeliveryLane(devices: devices).rawValue] + push.values + names)
        let note = DeliveryNote(.queued, at: now, purpose: .show, revision: revision)
        for row in new { try record(TimelineEvent(note, message: message.id, device: row["device"]), about: number) }
    }
}
