import CarillonCore

extension TransactionalStore {
    package func register(_ device: NewDevice, at now: Timestamp) async throws -> RegistrationOutcome {
        try await writeOutcome(at: now) { try $0.register(device) }
    }

    package func change(
        _ device: String, _ update: DeviceUpdate, at now: Timestamp
    ) async throws -> RegistrationOutcome {
        try await writeOutcome(at: now) { try $0.change(device, update) }
    }

    package func claimToken(
        for device: String, nonce: String, at now: Timestamp
    ) async throws -> RegistrationOutcome {
        try await writeOutcome(at: now) { try $0.claimToken(for: device, nonce: nonce) }
    }

    /// A registration may sign another user out.
    private func writeOutcome(
        at now: Timestamp, _ body: @escaping @Sendable (inout StoreTransaction) throws -> RegistrationOutcome
    ) async throws -> RegistrationOutcome {
        let (outcome, events) = try await writeInSteps(at: now, body)
        guard case .registered(let device, _) = outcome else { return outcome }
        return .registered(device, events)
    }

    package func device(_ id: String) async throws -> DeviceRecord? {
        try await read { try $0.device(id) }
    }

    package func devices(of user: UserReference, limit: Int) async throws -> [DeviceRecord] {
        try await read { transaction in
            try transaction.rows(
                """
                SELECT devices.*, apps.topic FROM devices JOIN apps ON apps.number = devices.app
                WHERE devices.app = ? AND devices.user = ? ORDER BY devices.id LIMIT ?
                """, [user.app.rawValue, user.id, limit]
            ).map { try $0.device() }
        }
    }

    package func delete(_ device: String, at now: Timestamp) async throws -> [TimelineEvent]? {
        try await write(at: now) { transaction in
            guard try transaction.device(device) != nil else { return nil }
            try transaction.delete(device, why: "the installation was deleted")
            return transaction.events
        }
    }
}

/// Installations: the table `devices`.
extension StoreTransaction {
    func device(_ id: String) throws -> DeviceRecord? {
        try row(
            "SELECT devices.*, apps.topic FROM devices JOIN apps ON apps.number = devices.app WHERE devices.id = ?",
            [id]
        ).map { try $0.device() }
    }

    fileprivate mutating func register(_ new: NewDevice) throws -> RegistrationOutcome {
        let existing = try device(new.id)
        if let existing {
            guard SecretHash.isEqual(existing.secretHash, new.secretHash) else { return .wrongSecret }
            // An installation belongs to one app for ever.
            guard existing.app == new.app else { return .otherApp }
        }
        if let old = existing?.user, let user = new.user, !UserID.isEqual(old, user) {
            try signOut(new.id, by: .service)
        }
        var device =
            existing
            ?? DeviceRecord(
                id: new.id, secretHash: new.secretHash, app: new.app, environment: new.environment, token: nil,
                tokenRegistered: now, state: .awaitingToken, user: nil, facts: new.facts, seen: now)
        device.user = new.user ?? device.user
        if new.user != nil { device.userIsImported = false }
        let imported = device.tagsAreImported ? device.facts.tags : nil
        device.tagsAreImported = device.tagsAreImported && new.facts.tags == nil
        device.facts = new.facts
        device.facts.tags = new.facts.tags ?? imported
        device.seen = now
        try write(device)
        if existing?.facts.tags ?? [] != device.facts.tags ?? [] {
            try writeTags(device.facts.tags, of: device.id, device.app)
        }
        try boundDevices(of: device)
        try take(new.token, new.environment, for: device, former: new.former, nonce: new.nonce)
        return try outcome(new.id)
    }

    fileprivate mutating func change(_ id: String, _ update: DeviceUpdate) throws -> RegistrationOutcome {
        guard var device = try device(id), device.state != .superseded else { return .unknown }
        if let old = device.user, let user = update.user, !UserID.isEqual(old, user) { try signOut(id, by: .service) }
        device.user = update.user ?? device.user
        if update.user != nil { device.userIsImported = false }
        if update.facts["tags"] != nil { device.tagsAreImported = false }
        let tags = device.facts.tags
        device.facts = try device.facts.applying(update.facts)
        device.seen = now
        try write(device)
        if tags ?? [] != device.facts.tags ?? [] { try writeTags(device.facts.tags, of: id, device.app) }
        try boundDevices(of: device)
        let environment = update.environment ?? device.environment
        // A token is one of an environment: in another it is another token.
        let isMoved = environment != device.environment
        if let token = update.token ?? (isMoved ? device.token : nil) {
            try take(token, environment, for: device, former: nil, nonce: update.nonce)
        }
        return try outcome(id)
    }

    func outcome(_ id: String) throws -> RegistrationOutcome {
        guard let device = try device(id) else { return .unknown }
        return .registered(device, events)
    }

    /// Signs the user out of the installations that were heard of least recently, where there are too many.
    private mutating func boundDevices(of device: DeviceRecord) throws {
        guard let user = device.user else { return }
        let surplus = try rows(
            """
            SELECT id FROM devices WHERE app = ? AND user = ? AND id <> ? ORDER BY seen DESC, number DESC
            LIMIT ? OFFSET ?
            """, [device.app.number.rawValue, user, device.id, Int(Int32.max), ServiceLimits.devicesPerUser - 1])
        for row in surplus { try signOut(row["id"], by: .service) }
    }

    /// Writes what is known of a device, apart from its token and what follows from that.
    private func write(_ device: DeviceRecord) throws {
        let columns = ["user", "user_imported", "tags_imported", "seen"] + DeviceFacts.columns
        let values: SQLArguments = [
            device.user, device.userIsImported, device.tagsAreImported, now.millisecondsSince1970,
        ]
        try execute(
            """
            INSERT INTO devices (id, app, secret_hash, environment, token_registered, state,
                \(columns.joined(separator: ", ")))
            VALUES (?, ?, ?, ?, ?, ?\(String(repeating: ", ?", count: columns.count)))
            ON CONFLICT (id) DO UPDATE SET \(columns.map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
            """,
            [
                device.id, device.app.number.rawValue, device.secretHash, device.environment.rawValue,
                device.tokenRegistered.millisecondsSince1970, device.state.rawValue,
            ] + values + device.facts.columnValues())
    }

    /// Where audiences look for tags.
    func writeTags(_ tags: [String]?, of device: String, _ app: AppReference) throws {
        try execute("DELETE FROM device_tags WHERE device = ?", [device])
        try execute(
            """
            INSERT INTO device_tags (app, tag, device, ordinal)
                SELECT ?, value, ?, (SELECT ordinal FROM devices WHERE id = ?) FROM \(dialect.textsOfJSON) AS named
                WHERE true
            ON CONFLICT DO NOTHING
            """,
            [app.number.rawValue, device, device, try Self.json(tags ?? [])])
    }

    /// Forgets an installation; the timelines of what it was sent stay.
    mutating func delete(_ device: String, why: String) throws {
        try cancelWaiting(on: device, why: why)
        try execute("DELETE FROM deliveries WHERE device = ? AND message IS NULL", [device])
        try execute("DELETE FROM removals WHERE device = ?", [device])
        try execute("DELETE FROM device_tags WHERE device = ?", [device])
        try execute("DELETE FROM devices WHERE id = ?", [device])
    }
}

extension SQLRow {
    func device() throws -> DeviceRecord {
        DeviceRecord(
            id: self["id"], secretHash: self["secret_hash"], app: app("app", "topic"),
            environment: try choice("environment"), token: text("token").flatMap(DeviceToken.init(hex:)),
            tokenRegistered: try requiredTimestamp("token_registered"), state: try choice("state"), user: self["user"],
            userIsImported: self["user_imported"], tagsAreImported: self["tags_imported"],
            facts: try DeviceFacts(self), confirmed: timestamp("confirmed"), ordinal: self["ordinal"],
            claimedToken: text("claimed_token").flatMap(DeviceToken.init(hex:)),
            seen: try requiredTimestamp("seen"))
    }
}
