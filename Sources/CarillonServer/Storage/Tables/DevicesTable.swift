import CarillonCore

/// Reads and writes installations, their tags, and the nonces with which installations prove a claim to a device token.
///
/// The SQL tables are `devices`, `device_tags` and `token_claims`.
struct DevicesTable: StoreTable {
    let session: StoreSession

    func device(_ id: String) throws -> DeviceRecord? { try row(Self.query(id)).map { try $0.device() } }

    /// Returns the query of ``device(_:)``.
    static func query(_ id: String) -> SQLStatement {
        SQLStatement(
            sql:
                "SELECT devices.*, apps.topic FROM devices JOIN apps ON apps.number = devices.app WHERE devices.id = ?",
            arguments: [id])
    }

    /// Returns at most `limit` installations on which a user is signed in, ordered by id.
    func devices(of user: UserReference, limit: Int) throws -> [DeviceRecord] {
        try rows(
            """
            SELECT devices.*, apps.topic FROM devices JOIN apps ON apps.number = devices.app
            WHERE devices.app = ? AND devices.user = ? ORDER BY devices.id LIMIT ?
            """, [user.app.rawValue, user.id, limit]
        ).map { try $0.device() }
    }

    /// Returns installations of an app, the newest first, each with its place in the list.
    ///
    /// The place is the ordinal (running number in the app), or in a list of one user's devices the number of the row.
    ///
    /// - Parameters:
    ///   - app: the app.
    ///   - filter: the devices to return.
    ///   - place: the place before which the list begins.
    ///   - limit: the greatest number of devices.
    /// - Returns: the devices.
    /// - Throws: the errors of the database.
    func list(
        of app: AppNumber, _ filter: DeviceFilter, before place: Int64, limit: Int
    ) throws -> [(number: Int64, device: DeviceRecord)] {
        let column = filter.user == nil ? "ordinal" : "number"
        var (condition, arguments): (String, SQLArguments) = (
            "devices.app = ? AND devices.\(column) < ?", [app.rawValue, place]
        )
        if !filter.states.isEmpty {
            condition += " AND \(dialect.isAmongTexts("devices.state"))"
            arguments += [try Self.json(filter.states.map(\.rawValue).sorted())]
        }
        if let user = filter.user {
            condition += " AND devices.user = ?"
            arguments += [user]
        }
        if let tag = filter.tag {
            condition += " AND devices.id IN (SELECT device FROM device_tags WHERE app = ? AND tag = ?)"
            arguments += [app.rawValue, tag]
        }
        return try rows(
            """
            SELECT devices.*, apps.topic FROM devices JOIN apps ON apps.number = devices.app
            WHERE \(condition) ORDER BY devices.\(column) DESC LIMIT ?
            """, arguments + [limit]
        ).map { try ($0[column], $0.device()) }
    }

    /// Returns the ids of a user's installations, oldest first.
    func ids(of user: UserReference) throws -> [String] {
        try rows(
            "SELECT id FROM devices WHERE app = ? AND user = ? ORDER BY number", [user.app.rawValue, user.id]
        ).map { try $0["id"] }
    }

    /// Returns the ids of an app's installations, in any order, at most `limit`.
    func ids(of app: AppNumber, limit: Int) throws -> [String] {
        try rows("SELECT id FROM devices WHERE app = ? LIMIT ?", [app.rawValue, limit]).map { try $0["id"] }
    }

    /// Returns the ids of the user's installations that exceed the limit ``StoreLimits/devicesPerUser``.
    ///
    /// These are the ones that have been inactive for longest. The result never contains `device`.
    func surplus(of user: UserReference, otherThan device: String) throws -> [String] {
        try rows(Self.surplus(of: user, otherThan: device)).map { try $0["id"] }
    }

    /// Returns the query of ``surplus(of:otherThan:)``.
    static func surplus(of user: UserReference, otherThan device: String) -> SQLStatement {
        SQLStatement(
            sql: """
                SELECT id FROM devices WHERE app = ? AND user = ? AND id <> ? ORDER BY seen DESC, number DESC
                LIMIT ? OFFSET ?
                """,
            arguments: [user.app.rawValue, user.id, device, Int(Int32.max), StoreLimits.devicesPerUser - 1])
    }

    /// Stores a device's user, its facts (``DeviceFacts``) and the time of its last request.
    ///
    /// The function stores neither the device's token nor the columns that depend on the token.
    func keep(_ device: DeviceRecord) throws {
        let columns = ["user", "user_imported", "tags_imported", "seen", "sequence"] + DeviceFacts.columns
        let values: SQLArguments = [
            device.user, device.userIsImported, device.tagsAreImported, now.millisecondsSince1970, device.sequence,
        ]
        try execute(
            """
            INSERT INTO devices (id, app, secret_hash, environment, token_registered, state, retired,
                \(columns.joined(separator: ", ")))
            VALUES (?, ?, ?, ?, ?, ?, ?\(String(repeating: ", ?", count: columns.count)))
            ON CONFLICT (id) DO UPDATE SET \(columns.map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
            """,
            [
                device.id, device.app.number.rawValue, device.secretHash, device.environment.rawValue,
                device.tokenRegistered.millisecondsSince1970, device.state.rawValue,
                device.state == .active ? nil : now.millisecondsSince1970,
            ] + values + device.facts.columnValues())
    }

    /// Stores a device's tags in the table `device_tags`, in which audiences are searched.
    func keepTags(_ tags: [String]?, of device: String, _ app: AppReference) throws {
        try keepTags(tags, of: device, app.number)
    }

    private func keepTags(_ tags: [String]?, of device: String, _ app: AppNumber) throws {
        try execute("DELETE FROM device_tags WHERE device = ?", [device])
        try execute(
            """
            INSERT INTO device_tags (app, tag, device, ordinal)
                SELECT ?, value, ?, (SELECT ordinal FROM devices WHERE id = ?) FROM \(dialect.textsOfJSON) AS named
                WHERE true
            ON CONFLICT DO NOTHING
            """,
            [app.rawValue, device, device, try Self.json(tags ?? [])])
    }

    /// Replaces a device's tags, both those of its record and those in which audiences are searched.
    func setTags(_ tags: [String], of device: String, _ app: AppNumber) throws {
        try execute("UPDATE devices SET tags = ? WHERE id = ?", [try Self.json(tags), device])
        try keepTags(tags, of: device, app)
    }

    func delete(_ device: String) throws {
        try execute("DELETE FROM device_tags WHERE device = ?", [device])
        try execute("DELETE FROM devices WHERE id = ?", [device])
    }

    /// Removes the user from a device, so that no user is signed in on it.
    ///
    /// - Returns: the removed user; `nil` if the device had no user.
    func unbind(_ device: String) throws -> UserReference? {
        guard let user = try row("SELECT app, user FROM devices WHERE id = ?", [device])?.user() else { return nil }
        try execute("UPDATE devices SET user = NULL, badge = NULL WHERE id = ?", [device])
        return user
    }

    /// Stores the number of an installation's request, so that older ones that come later change nothing.
    ///
    /// - Returns: the number of a newer request that has come before; `nil` for none.
    func newer(than sequence: Int64, on device: String) throws -> Int64? {
        let known = try integer("SELECT coalesce(max(sequence), 0) FROM devices WHERE id = ?", [device])
        guard known <= sequence else { return Int64(known) }
        try execute("UPDATE devices SET sequence = ? WHERE id = ?", [sequence, device])
        return nil
    }

    // MARK: Badge numbers and unanswered pushes

    /// Stores the badge number that a push, which APNs accepted, has set on a device.
    ///
    /// If the backend's own payload has set the badge, the service itself no longer sets it on this device.
    func noteBadge(_ badge: ClaimedDelivery.BadgeEffect, of device: String) throws {
        switch badge {
        case .none: break
        case .unread(let count):
            try execute(
                "UPDATE devices SET badge = ? WHERE id = ? AND badge IS DISTINCT FROM ?", [count, device, count])
        case .sender:
            try execute("UPDATE devices SET badge = NULL WHERE id = ? AND badge IS NOT NULL", [device])
        }
    }

    /// Stores the unread count that the service has last sent to a device as its badge.
    ///
    /// For a device without a stored count, the service does not set the badge.
    func note(unread count: Int, of device: String) throws {
        try execute("UPDATE devices SET badge = ? WHERE id = ?", [count, device])
    }

    /// Returns a device's user, if the service sets the badge of this device.
    ///
    /// The result is `nil` if the service does not set the badge, or if the device has no user.
    func userOfCountedIcon(_ device: String) throws -> UserReference? {
        try row(Self.userOfCountedIcon(device))?.user()
    }

    /// Returns the query of ``userOfCountedIcon(_:)``.
    static func userOfCountedIcon(_ device: String) -> SQLStatement {
        SQLStatement(sql: "SELECT app, user FROM devices WHERE id = ? AND badge IS NOT NULL", arguments: [device])
    }

    func silentUnanswered(_ device: String) throws -> Int {
        try integer("SELECT silent_unanswered FROM devices WHERE id = ?", [device])
    }

    /// Adds 1 to a device's count of silent pushes that it has not answered.
    ///
    /// A silent push counts as unanswered when APNs has accepted the fallback or the notice (``SecondPush``) that follows it.
    func countSilent(_ device: String) throws {
        try execute("UPDATE devices SET silent_unanswered = silent_unanswered + 1 WHERE id = ?", [device])
    }

    /// Sets a device's count of unanswered silent pushes to 0, because the device has sent a receipt.
    func noteAnswered(_ device: String) throws {
        try execute("UPDATE devices SET silent_unanswered = 0 WHERE id = ?", [device])
    }

    // MARK: Pushes of the service's own

    func isReachable(_ device: String) throws -> Bool {
        try integer("SELECT count(*) FROM devices WHERE id = ? AND state = 'active' AND token IS NOT NULL", [device])
            > 0
    }

    /// Increases the revision number for pushes without a message (``OwnPushes``) of the device that meets a condition.
    func takePushRevision(where condition: SQLCondition) throws {
        try execute(
            "UPDATE devices SET push_revision = push_revision + 1 WHERE \(condition.sql)", condition.arguments)
    }
}

extension SQLRow {
    func device() throws -> DeviceRecord {
        DeviceRecord(
            id: try self["id"], secretHash: try self["secret_hash"], app: try app("app", "topic"),
            environment: try choice("environment"), token: text("token").flatMap(DeviceToken.init(hex:)),
            tokenRegistered: try requiredTimestamp("token_registered"), state: try choice("state"), user: self["user"],
            userIsImported: try self["user_imported"], tagsAreImported: try self["tags_imported"],
            facts: try DeviceFacts(self), confirmed: timestamp("confirmed"), ordinal: self["ordinal"],
            claimedToken: text("claimed_token").flatMap(DeviceToken.init(hex:)),
            seen: try requiredTimestamp("seen"), sequence: try self["sequence"])
    }
}
