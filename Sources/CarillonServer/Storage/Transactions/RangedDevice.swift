import CarillonCore

/// A device at a place of a chunk, as far as the decision about its push needs it.
struct RangedDevice {
    let id: String
    /// Its place in the chunk.
    let place: Int
    let ordinal: Int64
    let environment: APNsEnvironment
    let isActive: Bool
    let isConfirmed: Bool
    let token: String?
    let user: String?
    let locale: String?
    let silentUnanswered: Int
    /// Whether it has rows that ask it to remove a message and are not confirmed.
    let hasOpenRemovals: Bool
    /// What the table `unread` has of its user.
    let countedUnread: Int

    /// What is read of each, in the order of the columns: so many rows are read that a look-up of names costs.
    fileprivate enum Column: Int, CaseIterable {
        // A number first: the engine's library decodes the first column once more.
        case ordinal, id, environment, state, token, user, locale, isConfirmed, silentUnanswered, hasOpenRemovals,
            countedUnread

        var sql: String {
            switch self {
            case .id: "devices.id"
            case .ordinal: "devices.ordinal"
            case .environment: "devices.environment"
            case .state: "devices.state"
            case .token: "devices.token"
            case .user: "devices.user"
            case .locale: "devices.locale"
            case .isConfirmed: "devices.confirmed IS NOT NULL"
            case .silentUnanswered: "devices.silent_unanswered"
            case .hasOpenRemovals:
                "EXISTS (SELECT 1 FROM removals WHERE removals.device = devices.id AND removals.confirmed IS NULL)"
            case .countedUnread: "unread_of_users.counted"
            }
        }

        static let list = allCases.map { "\($0.sql) AS column_\($0.rawValue)" }.joined(separator: ", ")
    }

    /// The table, with what the columns ask of others; no name of a column of `devices` is in it twice.
    fileprivate static let source =
        """
        devices LEFT JOIN (SELECT app AS of_app, user AS of_user, count AS counted FROM unread) AS unread_of_users
            ON unread_of_users.of_app = devices.app AND unread_of_users.of_user = devices.user
        """

    /// - Parameters:
    ///   - row: with the columns.
    ///   - start: where they begin in it.
    ///   - first: the ordinal of the chunk's first place.
    /// - Throws: ``ServiceError`` for what cannot be read.
    fileprivate init(_ row: any SQLColumns, from start: Int = 0, first: Int64) throws {
        func text(_ column: Column) -> String? { row.text(start + column.rawValue) }
        func integer(_ column: Column) -> Int64 { row.integer(start + column.rawValue) ?? 0 }
        guard let id = text(.id), let ordinal = row.integer(start + Column.ordinal.rawValue),
            let environment = text(.environment).flatMap(APNsEnvironment.init(rawValue:))
        else { throw ServiceError(.storage, "the database holds something unreadable in column environment") }
        (self.id, self.ordinal, self.environment) = (id, ordinal, environment)
        place = Int(ordinal - first)
        isActive = text(.state) == DeviceRecord.State.active.rawValue
        (token, user, locale) = (text(.token), text(.user), text(.locale))
        isConfirmed = integer(.isConfirmed) != 0
        silentUnanswered = Int(integer(.silentUnanswered))
        hasOpenRemovals = integer(.hasOpenRemovals) != 0
        countedUnread = Int(integer(.countedUnread))
    }
}

extension StoreTransaction {
    /// Goes through the devices on whom a condition holds, in the order of their ordinals.
    ///
    /// - Parameters:
    ///   - condition: for whom a message is, and where they are.
    ///   - first: the ordinal of the chunk's first place.
    ///   - room: of how many that can be reached all that a push asks is told. Those who lie far apart are read once so, when
    ///     they are planned and handed over in one transaction.
    ///   - body: gets each one's place, channel, whether it can be reached, and the device.
    /// - Throws: what the engine does, and `body`.
    func forEachDevice(
        _ condition: Condition, first: Int64, room: Int,
        _ body: (_ place: Int, _ channel: Int64, _ isReachable: Bool, RangedDevice?) throws -> Void
    ) throws {
        let own =
            """
            devices.ordinal, \(Self.channelOfDevice) AS channel,
                devices.state = 'active' AND devices.token IS NOT NULL AS reachable
            """
        let sql =
            room > 0
            ? "SELECT \(own), \(RangedDevice.Column.list) FROM \(RangedDevice.source) WHERE \(condition.sql)"
            : "SELECT \(own) FROM devices WHERE \(condition.sql)"
        var room = room
        try connection.forEachRow("\(sql) ORDER BY devices.ordinal", condition.arguments) { row in
            guard let ordinal = row.integer(0), let channel = row.integer(1) else { return }
            let isReachable = row.integer(2) == 1
            // One that cannot be read holds up its chunk when it is handed over, and not the whole message now.
            let device = isReachable && room > 0 ? try? RangedDevice(row, from: 3, first: first) : nil
            if device != nil { room -= 1 }
            try body(Int(ordinal - first), channel, isReachable, device)
        }
    }

    /// The devices at places of a chunk, with what each push asks: one statement for all of them, or none where they were
    /// read when the chunk was planned in the same transaction.
    ///
    /// - Returns: the devices in the order of their places; who is gone is missing.
    func rangedDevices(at places: [Int], of stored: StoredChunk, _ app: AppReference) throws -> [RangedDevice] {
        guard let last = places.last else { return [] }
        if let planned = cache.planned.removeValue(forKey: stored.number), planned.count >= places.count {
            // They begin with those whose turn is first.
            let devices = planned.prefix(places.count)
            if devices.last?.place == last { return Array(devices) }
        }
        let (wanted, among) = (DeviceSet(places), among(places, of: stored))
        var devices: [RangedDevice] = []
        devices.reserveCapacity(places.count)
        try connection.forEachRow(
            """
            SELECT \(RangedDevice.Column.list) FROM \(RangedDevice.source)
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

    /// The condition that a device is at one of some places of a chunk; where they are close together, or between them:
    /// neighbours are read in one go, and of scattered ones each is looked up.
    func among(_ places: [Int], of stored: StoredChunk) -> Condition {
        guard let least = places.min(), let greatest = places.max() else { return ("1 = 0", []) }
        guard greatest - least >= places.count * 2 else {
            return ("devices.ordinal BETWEEN ? AND ?", [stored.first + Int64(least), stored.first + Int64(greatest)])
        }
        return (
            "devices.ordinal IN (SELECT value FROM \(dialect.integersOfJSON) AS named)",
            [Self.integers(places.map { stored.first + Int64($0) })]
        )
    }

    /// Integers as a statement takes many of them.
    static func integers(_ numbers: [Int64]) -> String {
        "[\(numbers.map { String($0) }.joined(separator: ","))]"
    }
}
