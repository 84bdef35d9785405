import CarillonCore
import Foundation

/// Reads devices by their ordinals (running numbers in an app) or by an audience, and stores imported devices.
extension DevicesTable {
    /// Returns the rows of the devices at given positions in a ``RangeChunk``, by position.
    ///
    /// The result leaves out deleted devices.
    func devices(at places: [Int], of stored: StoredChunk, _ app: AppReference) throws -> [Int: SQLRow] {
        let ordinals = String(decoding: try CarillonJSON.encode(places.map { stored.first + Int64($0) }), as: UTF8.self)
        let rows = try rows(
            """
            SELECT devices.* FROM \(dialect.integersOfJSON) AS wanted \(dialect.orderedJoin) devices
                ON devices.app = ? AND devices.ordinal = wanted.value
            """, [ordinals, app.number.rawValue])
        return try Dictionary(rows.map { try (Int($0["ordinal"] as Int64 - stored.first), $0) }) { first, _ in first }
    }

    /// Calls `body` for each device that meets a condition, in the order of the devices' ordinals (running numbers in the app).
    ///
    /// - Parameters:
    ///   - condition: an SQL condition on the table `devices` that selects devices by an audience and by their ordinals.
    ///   - first: the first ordinal of the ``RangeChunk``; a device's position in the chunk is its ordinal minus this one.
    ///   - room: the greatest number of reachable devices that `body` receives complete, with all columns that a push needs.
    ///     The transaction that creates the chunk can send to these devices without reading them again.
    ///   - withZones: whether `body` receives the devices' time zones. The default is false.
    ///   - body: receives each device's position in the chunk, its ``SendingChannel``, whether it is reachable, its time zone,
    ///     and the complete device. The last value is `nil` for an unreachable device, a device beyond `room`, and a device that
    ///     cannot be decoded.
    /// - Throws: the errors of the database, and the errors of `body`.
    func forEachDevice(
        _ condition: SQLCondition, first: Int64, room: Int, withZones: Bool = false,
        _ body: (_ place: Int, _ channel: Int64, _ isReachable: Bool, _ zone: String?, RangedDevice?) throws -> Void
    ) throws {
        let own =
            """
            devices.ordinal, \(SendingChannel.ofDevice) AS channel,
                devices.state = 'active' AND devices.token IS NOT NULL AS reachable,
                \(withZones ? "devices.time_zone" : "NULL") AS zone
            """
        let sql =
            room > 0
            ? "SELECT \(own), \(RangedDevice.Column.list) FROM devices WHERE \(condition.sql)"
            : "SELECT \(own) FROM devices WHERE \(condition.sql)"
        var room = room
        try connection.forEachRow("\(sql) ORDER BY devices.ordinal", condition.arguments) { row in
            guard let ordinal = row.integer(0), let channel = row.integer(1) else { return }
            let isReachable = row.integer(2) == 1
            // Ignores a device that cannot be decoded, so that the chunk can be created. The hand-over sets the chunk aside
            // later.
            let device = isReachable && room > 0 ? try? RangedDevice(row, from: 4, first: first) : nil
            if device != nil { room -= 1 }
            try body(Int(ordinal - first), channel, isReachable, withZones ? row.text(3) : nil, device)
        }
    }

    /// Returns the devices at given positions in a ``RangeChunk``, with the columns that their pushes need.
    ///
    /// One statement reads all devices. No statement is needed if the chunk was created in this session (``StoreSession``) and
    /// the session's cache still has the devices.
    ///
    /// - Returns: the devices in the order of their positions, without deleted devices.
    func rangedDevices(at places: [Int], of stored: StoredChunk, _ app: AppReference) throws -> [RangedDevice] {
        guard let last = places.last else { return [] }
        if let planned = session.cache.planned.removeValue(forKey: stored.number), planned.count >= places.count {
            // The devices that were read with the chunk are in the order of their positions.
            let devices = planned.prefix(places.count)
            if devices.last?.place == last { return Array(devices) }
        }
        let (wanted, among) = (DeviceSet(places), among(places, of: stored))
        var devices: [RangedDevice] = []
        devices.reserveCapacity(places.count)
        try connection.forEachRow(
            """
            SELECT \(RangedDevice.Column.list) FROM devices
            WHERE devices.app = ? AND \(among.sql) ORDER BY devices.ordinal
            """, [app.number.rawValue] + among.arguments
        ) { row in
            guard let ordinal = row.integer(RangedDevice.Column.ordinal.rawValue),
                wanted.contains(Int(ordinal - stored.first))
            else { return }
            devices.append(try RangedDevice(row, first: stored.first))
        }
        return devices
    }

    /// Returns the SQL condition that selects the devices at given positions in a ``RangeChunk``.
    ///
    /// If the positions are close together, the condition covers all ordinals (running numbers in the app) between the first and
    /// the last, so that one scan reads them. Otherwise the database looks up the positions one by one.
    func among(_ places: [Int], of stored: StoredChunk) -> SQLCondition {
        guard let least = places.min(), let greatest = places.max() else { return ("1 = 0", []) }
        guard greatest - least >= places.count * 2 else {
            return ("devices.ordinal BETWEEN ? AND ?", [stored.first + Int64(least), stored.first + Int64(greatest)])
        }
        return (
            "devices.ordinal IN (SELECT value FROM \(dialect.integersOfJSON) AS named)",
            [Self.integers(places.map { stored.first + Int64($0) })]
        )
    }

    /// Returns the ids of those devices at the given positions in a ``RangeChunk`` that sent no receipt for at least
    /// `unanswered` silent pushes in a row.
    ///
    /// The query searches by ordinal (running number in the app), because an index has the devices of an app in this order.
    func silentDevices(
        at places: [Int], of stored: StoredChunk, _ app: AppReference, unanswered: Int
    ) throws -> Set<String> {
        let among = among(places, of: stored)
        return Set(
            try rows(
                "SELECT id FROM devices WHERE app = ? AND \(among.sql) AND silent_unanswered >= ?",
                [app.number.rawValue] + among.arguments + [unanswered]
            ).map { try $0["id"] as String })
    }

    /// A device token that is not confirmed yet (``DeviceRecord/confirmed``).
    typealias NewToken = (token: DeviceToken?, environment: APNsEnvironment, registered: Timestamp)

    /// Returns, by device id, the tokens that are not confirmed yet (``DeviceRecord/confirmed``).
    ///
    /// The function considers the devices at the given positions in a ``RangeChunk``. The result is nearly always empty: every
    /// device of a chunk had a confirmed token when the chunk was created, but may have registered a new token later.
    func newTokens(at places: [Int], of stored: StoredChunk, _ app: AppReference) throws -> [String: NewToken] {
        guard let least = places.min(), let greatest = places.max() else { return [:] }
        let rows = try rows(
            """
            SELECT id, token, environment, token_registered FROM devices
            WHERE app = ? AND ordinal BETWEEN ? AND ? AND confirmed IS NULL AND ordinal IS NOT NULL
            """, [app.number.rawValue, stored.first + Int64(least), stored.first + Int64(greatest)])
        return try rows.reduce(into: [:]) { tokens, row in
            tokens[try row["id"]] = (
                row.text("token").flatMap(DeviceToken.init(hex:)), try row.choice("environment"),
                try row.requiredTimestamp("token_registered")
            )
        }
    }

    /// Returns the ordinal (running number in the app) of the next device after `ordinal` that has one of the tags.
    ///
    /// The result is `nil` if there is no such device.
    func firstTagged(_ tags: [String], of app: AppNumber, after ordinal: Int64) throws -> Int64? {
        try tags.compactMap { tag in
            try row(
                "SELECT min(ordinal) AS ordinal FROM device_tags WHERE app = ? AND tag = ? AND ordinal > ?",
                [app.rawValue, tag, ordinal])?["ordinal"] as Int64?
        }.min()
    }

    /// Returns the query for the recipients' reachable devices, ordered by id.
    ///
    /// A device is reachable if it is active and has a token.
    func reachable(_ recipients: NamedRecipients, of app: Int64) throws -> SQLStatement {
        let (column, names) =
            switch recipients {
            case .users(let names): ("user", names)
            case .devices(let names): ("id", names)
            }
        // Most messages have one recipient and need no list.
        let isOne = names.count == 1
        let condition = isOne ? "\(column) = ?" : dialect.isAmongTexts(column)
        return SQLStatement(
            sql: """
                SELECT id, user, time_zone, \(SendingChannel.ofDevice) AS channel FROM devices
                WHERE app = ? AND \(condition) AND state = 'active' AND token IS NOT NULL ORDER BY id
                """, arguments: [app, isOne ? names.first : try Self.json(Array(names))])
    }

    // MARK: Imports

    /// Returns the rows of the devices that have these tokens, by app, token and APNs environment.
    func known(_ tokens: Set<String>, in app: AppNumber) throws -> [ImportBatch.Key: SQLRow] {
        let rows = try rows(
            """
            SELECT devices.id, devices.app, devices.environment, devices.token, devices.user,
                \(DeviceFacts.columns.map { "devices.\($0)" }.joined(separator: ", ")), length(secret_hash) AS secret
            FROM \(dialect.textsOfJSON) AS wanted \(dialect.orderedJoin) devices
                ON devices.token = wanted.value AND devices.app = ?
            """, [try Self.json(tokens.sorted()), app.rawValue])
        return try Dictionary(rows.map { (try ImportBatch.Key($0), $0) }) { first, _ in first }
    }

    /// Stores an imported device's user and the facts that the import has about the device.
    func change(_ device: String, user: String?, _ facts: DeviceFacts) throws {
        try execute(
            "UPDATE devices SET user = ?, \(DeviceFacts.columns.map { "\($0) = ?" }.joined(separator: ", ")) WHERE id = ?",
            [user] + facts.columnValues() + [device])
    }

    /// Inserts new imported devices of one app, each with its ordinal (running number in the app).
    func insert(_ numbered: [(ordinal: Int64, device: ImportedDevice)], of app: AppNumber) throws {
        try connection.insert(
            try numbered.map { try Self.row($0.device, at: $0.ordinal, now) }, into: "devices", Self.importedColumns)
        let tags = numbered.flatMap { ordinal, device in
            Set(device.facts.tags ?? []).sorted().map { tag -> SQLArguments in
                [app.rawValue, tag, device.id, ordinal]
            }
        }
        try connection.insert(tags, into: "device_tags", ["app", "tag", "device", "ordinal"])
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

/// Recipients of a message that are named by their ids, in their order.
enum NamedRecipients {
    case users(ArraySlice<String>)
    case devices(ArraySlice<String>)

    /// Makes the first `limit` recipients of an audience; `nil` for a broadcast.
    init?(_ audience: Audience, limit: Int) {
        switch audience {
        case .users(let users): self = .users(users.prefix(limit))
        case .devices(let devices): self = .devices(devices.prefix(limit))
        case .everyone, .matching, .unseen: return nil
        }
    }
}
