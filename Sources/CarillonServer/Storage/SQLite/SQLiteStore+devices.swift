import CarillonCore
import Foundation
import GRDB

extension SQLiteStore {
    public func register(_ record: DeviceRecord, at now: Timestamp) async throws -> RegistrationOutcome {
        try await write(at: now) { try $0.register(record) }
    }

    public func update(_ record: DeviceRecord, at now: Timestamp) async throws -> RegistrationOutcome {
        try await write(at: now) { transaction in
            let row = try transaction.row("SELECT * FROM devices WHERE id = ?", [record.id])
            guard let known = try row?.device() else { return .registered(record, []) }
            return try transaction.register(record, keepingTokenOf: known)
        }
    }

    public func device(_ id: String) async throws -> DeviceRecord? {
        try await pool.read { db in
            try Row.fetchOne(db, sql: "SELECT * FROM devices WHERE id = ?", arguments: [id]).map { try $0.device() }
        }
    }

    public func signOut(_ device: String, at now: Timestamp) async throws -> [TimelineEvent] {
        try await write(at: now) { transaction in
            try transaction.signOut(device)
            return transaction.events
        }
    }

    public func sync(_ device: String, limit: Int, at now: Timestamp) async throws -> SyncAnswer? {
        try await pool.read { db in
            let transaction = SQLiteTransaction(db: db, now: now)
            guard let row = try transaction.row("SELECT user FROM devices WHERE id = ?", [device]) else { return nil }
            let user: String? = row["user"]
            return SyncAnswer(
                now: now, removals: try transaction.openRemovals(of: device, limit: limit),
                unread: try user.map(transaction.unreadCount))
        }
    }
}

extension SQLiteTransaction {
    /// - Parameter known: the device as it was, when its token is not registered anew.
    mutating func register(
        _ record: DeviceRecord, keepingTokenOf known: DeviceRecord? = nil
    ) throws -> RegistrationOutcome {
        let existing = try row("SELECT * FROM devices WHERE id = ?", [record.id])?.device()
        if let existing {
            guard SecretHash.isEqual(existing.secretHash, record.secretHash) else { return .wrongSecret }
            if let old = existing.user, let new = record.user, old != new { try signOut(record.id) }
        }
        var device = record
        device.user = record.user ?? existing?.user
        device.state = known?.state ?? .active
        device.tokenRegistered = known?.tokenRegistered ?? now
        if let known { device.token = known.token } else { try takeToken(for: device) }
        try write(device)
        return .registered(device, events)
    }

    /// A token belongs to the installation that registered it last.
    private mutating func takeToken(for device: DeviceRecord) throws {
        let former = try rows(
            "SELECT id FROM devices WHERE token = ? AND topic = ? AND environment = ? AND id <> ?",
            [device.token?.hex, device.topic, device.environment.rawValue, device.id])
        for row in former {
            try retire(row["id"], as: .superseded, why: "another installation has registered this device's token")
        }
    }

    /// Stops sending to a device until it registers again.
    mutating func retire(_ device: String, as state: DeviceRecord.State, why: String) throws {
        // Only a superseded token goes: it is another's now. The others are kept for whoever looks into it.
        try execute(
            "UPDATE devices SET state = ?, token = CASE WHEN ? = 'superseded' THEN NULL ELSE token END WHERE id = ?",
            [state.rawValue, state.rawValue, device])
        let waiting = try rows(
            "SELECT * FROM deliveries WHERE device = ? AND state = 'queued' AND lease_until IS NULL", [device])
        for row in waiting {
            if row.text("message") == nil {
                try execute("DELETE FROM deliveries WHERE number = ?", [row["number"] as Int64])
            } else {
                try cancel(row, why: why)
            }
        }
    }

    private func write(_ device: DeviceRecord) throws {
        try execute(
            """
            INSERT INTO devices
                (id, secret_hash, topic, environment, token, token_registered, state, user, permission, locale,
                 time_zone, app_version, tags, seen)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET
                topic = excluded.topic, environment = excluded.environment, token = excluded.token,
                token_registered = excluded.token_registered, state = excluded.state, user = excluded.user,
                permission = excluded.permission, locale = excluded.locale, time_zone = excluded.time_zone,
                app_version = excluded.app_version, tags = excluded.tags, seen = excluded.seen
            """,
            [
                device.id, device.secretHash, device.topic, device.environment.rawValue, device.token?.hex,
                device.tokenRegistered.millisecondsSince1970, device.state.rawValue, device.user,
                device.permission.rawValue, device.locale, device.timeZone, device.appVersion,
                String(decoding: try CarillonJSON.encode(device.tags), as: UTF8.self), now.millisecondsSince1970,
            ])
    }

    /// Unbinds; what was queued for the user is cancelled, and what is still under way to the phone will be removed.
    mutating func signOut(_ device: String) throws {
        let bound = try row("SELECT user FROM devices WHERE id = ?", [device])
        guard let user = bound?.text("user") else { return }
        try execute("UPDATE devices SET user = NULL, badge = NULL WHERE id = ?", [device])
        let unanswered = try rows(
            """
            SELECT * FROM deliveries WHERE device = ? AND user = ? AND message IS NOT NULL
                AND state IN ('queued', 'accepted', 'unanswered') AND NOT EXISTS
                (SELECT 1 FROM events WHERE events.message = deliveries.message AND events.device = deliveries.device
                    AND events.revision = deliveries.revision AND receipt IS NOT NULL)
            ORDER BY number DESC LIMIT ?
            """, [device, user, ServiceLimits.removalsPerSync])
        for row in unanswered { try withdraw(row, for: .signOut) }
    }
}

extension Row {
    func device() throws -> DeviceRecord {
        let token: String? = self["token"]
        let tags: String = self["tags"]
        return DeviceRecord(
            id: self["id"], secretHash: self["secret_hash"], topic: self["topic"],
            environment: try choice("environment"), token: token.flatMap(DeviceToken.init(hex:)),
            tokenRegistered: try requiredTimestamp("token_registered"), state: try choice("state"),
            user: self["user"], permission: try choice("permission"), locale: self["locale"],
            timeZone: self["time_zone"], appVersion: self["app_version"],
            tags: try CarillonJSON.decode([String].self, from: Data(tags.utf8)))
    }
}
