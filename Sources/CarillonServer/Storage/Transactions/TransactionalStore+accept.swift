import CarillonCore
import Foundation

extension TransactionalStore {
    package func accept(_ message: NewMessage, at now: Timestamp) async throws -> Acceptance {
        // Found without holding up those who write.
        let form = message.audience.isBroadcast ? try await read(at: now) { try $0.broadcastForm(message) } : nil
        let (acceptance, events) = try await writeInSteps(at: now) { try $0.accept(message, form) }
        guard case .accepted(let answer, _) = acceptance else { return acceptance }
        return .accepted(answer, events)
    }
}

extension StoreTransaction {
    /// A message as it stands in its row.
    private struct Written {
        var number: Int64
        var revision = 1
        /// Whether the revision before may have been for others.
        var hasOtherAudience = false
    }

    mutating func accept(_ message: NewMessage, _ form: DeliveryForm?) throws -> Acceptance {
        if let earlier = try repetition(of: message) { return earlier }
        let form = try currentForm(of: message, found: form)
        // Nearly every message is new: whether there is one with its id, its insertion tells.
        if !form.isRefused, let number = try insert(message, devices: form.devices) {
            if form == .ranges { return try acceptRanged(message, number) }
            return try address(message, Written(number: number), devices: form.devices)
        }
        let existing = try row(
            "SELECT * FROM messages WHERE app = ? AND id = ?", [message.app.number.rawValue, message.id.rawValue])
        if let existing, let answer = try answer(instead: existing, of: message) { return answer }
        if form.isRefused, !message.audience.isBroadcast { return .refused(.audienceTooLarge) }
        if let existing, existing["ranged"] { return try replaceRanged(existing, with: message) }
        // One with rows keeps having them, and may have been accepted just now.
        let count = form == .ranges ? try broadcastCount(message) : form.devices
        guard let existing, count <= ServiceLimits.audienceDevices else { return .refused(.needsRanges) }
        let former: Data? = existing["audience"]
        let written = Written(
            number: existing["number"], revision: existing["revision"] + 1,
            hasOtherAudience: former != message.audience.fingerprint)
        try replace(written, with: message, devices: count)
        return try address(message, written, devices: count)
    }

    /// Since those whom nobody names were counted, devices may have come and gone: those that have rows are counted anew.
    private mutating func currentForm(of message: NewMessage, found: DeliveryForm?) throws -> DeliveryForm {
        switch found {
        case .ranges: .ranges
        case .rows: try broadcastForm(message)
        case nil: .rows(devices: try audienceCount(message))
        }
    }

    /// Begins to bring a message that was written to those whom it is for.
    private mutating func address(_ message: NewMessage, _ written: Written, devices: Int) throws -> Acceptance {
        try writeVariables(of: message, written.number)
        try remember(message, written.number, devices: devices)
        let addressing = Addressing(
            message: written.number, id: message.id, app: message.app.number.rawValue,
            recipients: try recipients(of: message), revision: written.revision, devices: devices,
            countsAsUnread: message.countsAsUnread, until: message.until, isScheduled: message.sendAt != nil,
            hasOtherAudience: written.hasOtherAudience)
        if let sendAt = message.sendAt, sendAt > now {
            try schedule(.accept(addressing), at: sendAt)
        } else {
            try begin(.accept(addressing))
        }
        return .accepted(SendAnswer(id: message.id, state: message.state(at: now), devices: devices), events)
    }

    /// Leaves it open whom a message is for until it is sent: as many as there may be, accepting it costs the same.
    private func acceptRanged(_ message: NewMessage, _ number: Int64) throws -> Acceptance {
        try remember(message, number, devices: 0)
        try planRanges(message, number)
        return .accepted(SendAnswer(id: message.id, state: message.state(at: now), devices: nil), events)
    }

    /// A newer revision of a message that is sent by ranges is sent by the same ranges, even to named users.
    private mutating func replaceRanged(_ existing: SQLRow, with message: NewMessage) throws -> Acceptance {
        let number: Int64 = existing["number"]
        try replace(Written(number: number, revision: existing["revision"] + 1), with: message, devices: 0)
        try writeVariables(of: message, number)
        if existing.timestamp("paused") != nil { try holdRange(number, false) }
        try replanRanges(message, number)
        try remember(message, number, devices: 0)
        return .accepted(SendAnswer(id: message.id, state: message.state(at: now), devices: nil), events)
    }

    /// The answer to a message that does not replace the one with its id; `nil` when it does.
    ///
    /// The same body is a repetition: a caller that chose the id and lost the answer may ask again without a second
    /// alert.
    private func answer(instead row: SQLRow, of message: NewMessage) throws -> Acceptance? {
        if row["fingerprint"] == message.fingerprint {
            // Who only repeats a request must not bring back what somebody else has taken back meanwhile.
            guard row.timestamp("recalled") == nil else { return .refused(.recalled) }
            guard row.timestamp("cancelled") == nil else { return .refused(.cancelled) }
            let devices: Int? = row["ranged"] ? nil : row["devices"]
            return .repeated(SendAnswer(id: message.id, state: message.state(at: now), devices: devices))
        }
        guard try message.replacesOtherAudience || isForTheSame(row, as: message) else {
            return .refused(.otherAudience)
        }
        let number: Int64 = row["number"]
        if message.state(at: now) == .scheduled, try integer(Self.hasGoneOut, [number, number]) > 0 {
            return .refused(.alreadySent)
        }
        return nil
    }

    private static let hasGoneOut = """
        SELECT EXISTS (SELECT 1 FROM deliveries WHERE message = ?) OR EXISTS (SELECT 1 FROM chunks WHERE message = ?)
        """

    /// Whether nobody loses the message by its replacement, and nobody else gets it.
    private func isForTheSame(_ row: SQLRow, as message: NewMessage) throws -> Bool {
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
            "SELECT count(*) FROM inbox WHERE message = ? AND user NOT IN (SELECT value FROM \(dialect.textsOfJSON) AS named)",
            [number, try Self.json(users)]) == 0
    }

    /// - Returns: the message's number; `nil` where its app has a message with its id.
    private func insert(_ message: NewMessage, devices: Int) throws -> Int64? {
        try insertNumbered(Self.insertNewMessage, try values(of: message, Written(number: 0), devices))
    }

    /// What was to become of an earlier revision is not what is to become of this one.
    private func replace(_ written: Written, with message: NewMessage, devices: Int) throws {
        try execute(Self.replaceMessage, try values(of: message, written, devices))
        try dropWork(on: written.number)
        try dropVariables(of: written.number)
    }

    private static let insertMessage = """
        INSERT INTO messages (app, id, mode, until, payload, badge_is_unread, fingerprint, audience, revision,
            devices, accepted, dialect, everyone, remove_expired, expires, keeps_replies, texts, send_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """

    private static let insertNewMessage = "\(insertMessage) ON CONFLICT (app, id) DO NOTHING"

    private static let replaceMessage = """
        \(insertMessage)
        ON CONFLICT (app, id) DO UPDATE SET
            mode = excluded.mode, until = excluded.until, payload = excluded.payload,
            badge_is_unread = excluded.badge_is_unread, fingerprint = excluded.fingerprint,
            audience = excluded.audience, revision = excluded.revision, devices = excluded.devices,
            accepted = excluded.accepted, dialect = excluded.dialect, everyone = excluded.everyone,
            remove_expired = excluded.remove_expired, expires = excluded.expires,
            keeps_replies = excluded.keeps_replies, texts = excluded.texts, send_at = excluded.send_at,
            recalled = NULL, notice = NULL, paused = NULL, cancelled = NULL
        """

    private func values(of message: NewMessage, _ written: Written, _ devices: Int) throws -> SQLArguments {
        [
            message.app.number.rawValue, message.id.rawValue, message.mode.rawValue,
            message.until?.millisecondsSince1970, message.payload, message.badgeIsUnreadCount,
            message.fingerprint, message.audience.fingerprint, written.revision, devices, now.millisecondsSince1970,
            message.dialect.rawValue, message.audience.isBroadcast, message.removesExpired,
            (message.removesExpired || message.countsAsUnread) ? message.until?.millisecondsSince1970 : nil,
            message.keepsReplies,
            message.texts.isEmpty ? nil : try CarillonJSON.encode(message.texts),
            message.sendAt?.millisecondsSince1970,
        ]
    }
}
