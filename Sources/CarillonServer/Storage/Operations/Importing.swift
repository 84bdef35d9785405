import CarillonCore

/// Imports devices from another provider.
///
/// An imported device has a token, but no secret for its requests. When an installation registers with this token, it takes
/// over the imported device's tags and deliveries, and the service deletes the imported device.
struct Importing: SessionPart {
    let session: StoreSession
    private let apps: AppsTable
    private let devices: DevicesTable

    init(_ session: StoreSession) {
        self.session = session
        apps = AppsTable(session)
        devices = DevicesTable(session)
    }

    func importDevices(_ devices: [ImportedDevice]) throws -> [ImportOutcome] {
        var batch = ImportBatch()
        for (app, list) in Dictionary(grouping: devices, by: \.app.number) {
            try apps.require(app)
            batch.known.merge(try self.devices.known(Set(list.map(\.token.hex)), in: app)) { first, _ in first }
            batch.counts.merge(try counts(of: Set(list.compactMap(\.user)), in: app)) { first, _ in first }
        }
        let outcomes = try devices.map { try importDevice($0, &batch) }
        try write(batch.takeNew())
        return outcomes
    }

    /// Returns, for each of these users, the number of devices on which the user is signed in.
    private func counts(of users: Set<String>, in app: AppNumber) throws -> [UserReference: Int] {
        let rows = try rows(
            """
            SELECT devices.user, count(*) AS count
            FROM \(dialect.textsOfJSON) AS wanted \(dialect.orderedJoin) devices
                ON devices.app = ? AND devices.user = wanted.value
            GROUP BY devices.user
            """, [try Self.json(users.sorted()), app.rawValue])
        return try Dictionary(rows.map { try (UserReference($0["user"], of: app), $0["count"]) }) { first, _ in first }
    }

    private func importDevice(_ new: ImportedDevice, _ batch: inout ImportBatch) throws -> ImportOutcome {
        let (key, app) = (ImportBatch.Key(new), new.app.number)
        if batch.isNew(key) {
            // The import names this device twice, so the first record is stored now.
            try write(batch.takeNew())
            batch.known.merge(try devices.known([new.token.hex], in: app)) { _, new in new }
        }
        guard let known = batch.known[key] else {
            if let user = new.user,
                batch.counts[UserReference(user, of: app), default: 0] >= StoreLimits.devicesPerUser
            {
                return .refused("its user has \(StoreLimits.devicesPerUser) devices already")
            }
            batch.move(from: nil, to: new.user, of: app)
            batch.add(new)
            return .added
        }
        guard try known["secret"] == 0 else { return .kept }
        guard let user = try change(known, as: new) else { return .unchanged }
        batch.move(from: known.text("user"), to: user, of: app)
        batch.known.merge(try devices.known([new.token.hex], in: app)) { _, new in new }
        return .updated
    }

    /// Updates a device that was imported before with the facts (``DeviceFacts``) of a new import.
    ///
    /// The device keeps the facts that the new import leaves out.
    ///
    /// - Returns: the device's user if something has changed (`.some(nil)` for a device without a user); `nil` if nothing has
    ///   changed.
    private func change(_ known: SQLRow, as new: ImportedDevice) throws -> String?? {
        var facts = try DeviceFacts(known)
        let before = facts
        facts.locale = new.facts.locale ?? facts.locale
        facts.timeZone = new.facts.timeZone ?? facts.timeZone
        facts.appVersion = new.facts.appVersion ?? facts.appVersion
        facts.tags = new.facts.tags ?? facts.tags
        let user = new.user ?? known.text("user")
        guard facts != before || user != known.text("user") else { return nil }
        let id: String = try known["id"]
        try devices.change(id, user: user, facts)
        if facts.timeZone != before.timeZone {
            try ChangingZones(session).move(id, of: new.app.number, to: facts.timeZone)
        }
        if facts.tags != before.tags { try devices.keepTags(facts.tags, of: id, new.app) }
        return .some(user)
    }
    /// Inserts new devices, and gives each the next ordinal (running number) of its app.
    private func write(_ new: [ImportedDevice]) throws {
        for (app, list) in Dictionary(grouping: new, by: \.app.number) {
            let last = try apps.takeOrdinals(list.count, of: app)
            let numbered = list.enumerated().map {
                (ordinal: last - Int64(list.count - 1 - $0.offset), device: $0.element)
            }
            try devices.insert(numbered, of: app)
        }
    }
}
