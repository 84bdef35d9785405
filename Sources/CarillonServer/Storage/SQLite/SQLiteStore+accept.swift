import CarillonCore
import Foundation
import GRDB

extension SQLiteStore {
    package func accept(_ message: NewMessage, at now: Timestamp) async throws -> Acceptance {
        // Everyone is counted without holding up those who write.
        let count = message.audience.isBroadcast ? try await read { try $0.audienceCount(message) } : nil
        let (acceptance, events) = try await writeInSteps(at: now) { try $0.accept(message, audience: count) }
        guard case .accepted(let answer, _) = acceptance else { return acceptance }
        return .accepted(answer, events)
    }
}

extension SQLiteTransaction {
    mutating func accept(_ message: NewMessage, audience: Int?) throws -> Acceptance {
        if let earlier = try repetition(of: message) { return earlier }
        let existing = try row(
            "SELECT * FROM messages WHERE app = ? AND id = ?", [message.app.number.rawValue, message.id.rawValue])
        if let existing, let answer = try answer(instead: existing, of: message) { return answer }

        let count = try audience ?? audienceCount(message)
        guard count <= ServiceLimits.audienceDevices else { return .refused(.audienceTooLarge(count)) }
        let revision = (existing?["revision"] ?? 0) + 1
        let number = try write(message, revision: revision, devices: count)
        try remember(message, number, devices: count)
        let former: Data? = existing?["audience"]
        let addressing = Addressing(
            message: number, id: message.id, app: message.app.number.rawValue, recipients: try recipients(of: message),
            revision: revision, devices: count, countsAsUnread: message.countsAsUnread, until: message.until,
            isScheduled: message.sendAt != nil,
            hasOtherAudience: existing != nil && former != message.audience.fingerprint)
        if let sendAt = message.sendAt, sendAt > now {
            try schedule(.accept(addressing), at: sendAt)
        } else {
            try begin(.accept(addressing))
        }
        return .accepted(SendAnswer(id: message.id, state: message.state(at: now), devices: count), events)
    }

    /// The answer to a message that does not replace the one with its id; `nil` when it does.
    ///
    /// The same body is a repetition: a caller that chose the id and lost the answer may ask again without a second
    /// alert.
    private func answer(instead row: Row, of message: NewMessage) throws -> Acceptance? {
        if row["fingerprint"] == message.fingerprint {
            // Who only repeats a request must not bring back what somebody else has taken back meanwhile.
            guard row.timestamp("recalled") == nil else { return .refused(.recalled) }
            guard row.timestamp("cancelled") == nil else { return .refused(.cancelled) }
            return .repeated(SendAnswer(id: message.id, state: message.state(at: now), devices: row["devices"]))
        }
        guard try message.replacesOtherAudience || isForTheSame(row, as: message) else {
            return .refused(.otherAudience)
        }
        let number: Int64 = row["number"]
        if message.state(at: now) == .scheduled, try integer(Self.hasGoneOut, [number]) > 0 {
            return .refused(.alreadySent)
        }
        return nil
    }

    private static let hasGoneOut = "SELECT EXISTS (SELECT 1 FROM deliveries WHERE message = ?)"

    /// Whether nobody loses the message by its replacement, and nobody else gets it.
    private func isForTheSame(_ row: Row, as message: NewMessage) throws -> Bool {
        if let fingerprint: Data = row["audience"] { return fingerprint == message.audience.fingerprint }
        // Accepted before audiences were kept: it is enough that nobody loses it.
        let number: Int64 = row["number"]
        guard case .users(let users) = message.audience else {
            let (condition, names) = try condition(message.audience, of: message.app.number, at: now)
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
                devices, accepted, dialect, everyone, remove_expired, expires, keeps_replies, texts, send_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (app, id) DO UPDATE SET
                mode = excluded.mode, until = excluded.until, payload = excluded.payload,
                badge_is_unread = excluded.badge_is_unread, fingerprint = excluded.fingerprint,
                audience = excluded.audience, revision = excluded.revision, devices = excluded.devices,
                accepted = excluded.accepted, dialect = excluded.dialect, everyone = excluded.everyone,
                remove_expired = excluded.remove_expired, expires = excluded.expires,
                keeps_replies = excluded.keeps_replies, texts = excluded.texts, send_at = excluded.send_at,
                recalled = NULL, notice = NULL, paused = NULL, cancelled = NULL
            RETURNING number
            """,
            [
                message.app.number.rawValue, message.id.rawValue, message.mode.rawValue,
                message.until?.millisecondsSince1970, message.payload, message.badgeIsUnreadCount,
                message.fingerprint, message.audience.fingerprint, revision, devices, now.millisecondsSince1970,
                message.dialect.rawValue, message.audience.isBroadcast, message.removesExpired,
                (message.removesExpired || message.countsAsUnread) ? message.until?.millisecondsSince1970 : nil,
                message.keepsReplies,
                message.texts.isEmpty ? nil : try CarillonJSON.encode(message.texts),
                message.sendAt?.millisecondsSince1970,
            ])
        guard let row else { throw ServiceError(.storage, "the message was not written") }
        let number: Int64 = row["number"]
        if revision > 1 {
            // What was to become of an earlier revision is not what is to become of this one.
            try dropWork(on: number)
            try dropVariables(of: number)
        }
        try writeVariables(of: message, number)
        return number
    }
}
