import CarillonCore
import Foundation

/// Devices that are imported in one transaction: what the store knows of them is read at once, and those that are new are
/// written at once.
struct ImportBatch {
    /// By what an imported device is known.
    struct Key: Hashable {
        let app: Int64
        let environment: String
        let token: String

        init(_ device: ImportedDevice) {
            app = device.app.number.rawValue
            environment = device.environment.rawValue
            token = device.token.hex
        }

        init(_ row: SQLRow) {
            app = row["app"]
            environment = row["environment"]
            token = row["token"]
        }
    }

    /// The rows of devices with these tokens.
    var known: [Key: SQLRow] = [:]
    /// How many devices the users have.
    var counts: [UserReference: Int] = [:]
    /// Those that are not written yet, in their order.
    private(set) var new: [ImportedDevice] = []
    private var newKeys: Set<Key> = []

    func isNew(_ key: Key) -> Bool { newKeys.contains(key) }

    mutating func add(_ device: ImportedDevice) {
        new.append(device)
        newKeys.insert(Key(device))
    }

    mutating func takeNew() -> [ImportedDevice] {
        defer { (new, newKeys) = ([], []) }
        return new
    }

    /// A device has gone from one user to another.
    mutating func move(from old: String?, to user: String?, of app: AppNumber) {
        guard old != user else { return }
        if let old { counts[UserReference(old, of: app), default: 0] -= 1 }
        if let user { counts[UserReference(user, of: app), default: 0] += 1 }
    }
}

extension StoreTransaction {
    func importDevices(_ devices: [ImportedDevice]) throws -> [ImportOutcome] {
        var batch = ImportBatch()
        for (app, list) in Dictionary(grouping: devices, by: \.app.number) {
            batch.known.merge(try known(Set(list.map(\.token.hex)), in: app)) { first, _ in first }
            batch.counts.merge(try counts(of: Set(list.compactMap(\.user)), in: app)) { first, _ in first }
        }
        let outcomes = try devices.map { try importDevice($0, &batch) }
        try write(batch.takeNew())
        return outcomes
    }

    private func importDevice(_ new: ImportedDevice, _ batch: inout ImportBatch) throws -> ImportOutcome {
        let (key, app) = (ImportBatch.Key(new), new.app.number)
        if batch.isNew(key) {
            // The file names it twice.
            try write(batch.takeNew())
            batch.known.merge(try known([new.token.hex], in: app)) { _, new in new }
        }
        guard let known = batch.known[key] else {
            if let user = new.user,
                batch.counts[UserReference(user, of: app), default: 0] >= ServiceLimits.devicesPerUser
            {
                return .refused("its user has \(ServiceLimits.devicesPerUser) devices already")
            }
            batch.move(from: nil, to: new.user, of: app)
            batch.add(new)
            return .added
        }
        guard known["secret"] == 0 else { return .kept }
        guard let user = try change(known, as: new) else { return .unchanged }
        batch.move(from: known.text("user"), to: user, of: app)
        batch.known.merge(try self.known([new.token.hex], in: app)) { _, new in new }
        return .updated
    }

    /// Writes what a file says of a device that was imported before; what it says nothing of stays.
    ///
    /// - Returns: its user; `nil` where nothing has changed.
    private func change(_ known: SQLRow, as new: ImportedDevice) throws -> String?? {
        var facts = try DeviceFacts(known)
        let before = facts
        facts.locale = new.facts.locale ?? facts.locale
        facts.timeZone = new.facts.timeZone ?? facts.timeZone
        facts.appVersion = new.facts.appVersion ?? facts.appVersion
        facts.tags = new.facts.tags ?? facts.tags
        let user = new.user ?? known.text("user")
        guard facts != before || user != known.text("user") else { return nil }
        let id: String = known["id"]
        try execute(
            "UPDATE devices SET user = ?, \(DeviceFacts.columns.map { "\($0) = ?" }.joined(separator: ", ")) WHERE id = ?",
            [user] + facts.columnValues() + [id])
        if facts.tags != before.tags { try writeTags(facts.tags, of: id, new.app) }
        return .some(user)
    }

    private func known(_ tokens: Set<String>, in app: AppNumber) throws -> [ImportBatch.Key: SQLRow] {
        let rows = try rows(
            """
            SELECT devices.id, devices.app, devices.environment, devices.token, devices.user,
                \(DeviceFacts.columns.map { "devices.\($0)" }.joined(separator: ", ")), length(secret_hash) AS secret
            FROM \(dialect.textsOfJSON) AS wanted \(dialect.orderedJoin) devices
                ON devices.token = wanted.value AND devices.app = ?
            """, [try Self.json(tokens.sorted()), app.rawValue])
        return Dictionary(rows.map { (ImportBatch.Key($0), $0) }) { first, _ in first }
    }

    private func counts(of users: Set<String>, in app: AppNumber) throws -> [UserReference: Int] {
        let rows = try rows(
            """
            SELECT devices.user, count(*) AS count
            FROM \(dialect.textsOfJSON) AS wanted \(dialect.orderedJoin) devices
                ON devices.app = ? AND devices.user = wanted.value
            GROUP BY devices.user
            """, [try Self.json(users.sorted()), app.rawValue])
        return Dictionary(rows.map { (UserReference($0["user"], of: app), $0["count"]) }) { first, _ in first }
    }

    // MARK: New ones

    private func write(_ devices: [ImportedDevice]) throws {
        for (app, list) in Dictionary(grouping: devices, by: \.app.number) {
            let last = try row(
                "UPDATE apps SET next_ordinal = next_ordinal + ? WHERE number = ? RETURNING next_ordinal - 1 AS ordinal",
                [list.count, app.rawValue])
            guard let last: Int64 = last?["ordinal"] else { return try notWritten("place") }
            let numbered = list.enumerated().map { (last - Int64(list.count - 1 - $0.offset), $0.element) }
            try connection.insert(
                try numbered.map { try Self.row($0.1, at: $0.0, now) }, into: "devices", Self.importedColumns)
            let tags = numbered.flatMap { ordinal, device in
                Set(device.facts.tags ?? []).sorted().map { tag -> SQLArguments in
                    [app.rawValue, tag, device.id, ordinal]
                }
            }
            try connection.insert(tags, into: "device_tags", ["app", "tag", "device", "ordinal"])
        }
    }

    private static let importedColumns =
        [
            "id", "app", "ordinal", "secret_hash", "environment", "token", "token_registered", "state", "confirmed",
            "user", "user_imported", "seen",
        ] + DeviceFacts.columns

    private static func row(_ new: ImportedDevice, at ordinal: Int64, _ now: Timestamp) throws -> SQLArguments {
        let moment = now.millisecondsSince1970
        return [
            new.id, new.app.number.rawValue, ordinal, Data(), new.environment.rawValue, new.token.hex, moment, "active",
            moment, new.user, 1, moment,
        ] + (try new.facts.columnValues())
    }
}
