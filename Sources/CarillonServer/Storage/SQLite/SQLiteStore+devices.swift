import CarillonCore
import GRDB

extension SQLiteStore {
    package func register(_ record: DeviceRecord, at now: Timestamp) async throws -> RegistrationOutcome {
        try await write(at: now) { try $0.register(record) }
    }

    package func update(_ record: DeviceRecord, at now: Timestamp) async throws -> RegistrationOutcome {
        try await write(at: now) { transaction in
            let row = try transaction.row("SELECT * FROM devices WHERE id = ?", [record.id])
            guard let known = try row?.device() else { return .registered(record, []) }
            return try transaction.register(record, keepingTokenOf: known)
        }
    }

    package func device(_ id: String) async throws -> DeviceRecord? {
        try await pool.read { db in
            try Row.fetchOne(db, sql: "SELECT * FROM devices WHERE id = ?", arguments: [id]).map { try $0.device() }
        }
    }
}

extension SQLiteTransaction {
    /// Writes a device down; `known` is the device as it was, when its token is not registered anew.
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

    private func write(_ device: DeviceRecord) throws {
        let columns =
            ["topic", "environment", "token", "token_registered", "state", "user", "seen"] + DeviceFacts.columns
        let values: StatementArguments = [
            device.topic, device.environment.rawValue, device.token?.hex, device.tokenRegistered.millisecondsSince1970,
            device.state.rawValue, device.user, now.millisecondsSince1970,
        ]
        // The secret of a known device stays: whoever writes has proved to know it.
        try execute(
            """
            INSERT INTO devices (id, secret_hash, \(columns.joined(separator: ", ")))
            VALUES (?, ?\(String(repeating: ", ?", count: columns.count)))
            ON CONFLICT (id) DO UPDATE SET \(columns.map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
            """,
            [device.id, device.secretHash] + values + device.facts.columnValues())
    }
}

extension Row {
    func device() throws -> DeviceRecord {
        let token: String? = self["token"]
        return DeviceRecord(
            id: self["id"], secretHash: self["secret_hash"], topic: self["topic"],
            environment: try choice("environment"), token: token.flatMap(DeviceToken.init(hex:)),
            tokenRegistered: try requiredTimestamp("token_registered"), state: try choice("state"), user: self["user"],
            facts: try DeviceFacts(self))
    }
}
