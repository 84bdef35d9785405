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
            case .countedUnread: "unread.count"
            }
        }

        static let list = allCases.map { "\($0.sql) AS column_\($0.rawValue)" }.joined(separator: ", ")
    }

    fileprivate init(_ row: any SQLColumns, first: Int64) throws {
        func text(_ column: Column) -> String? { row.text(column.rawValue) }
        func integer(_ column: Column) -> Int64 { row.integer(column.rawValue) ?? 0 }
        guard let id = text(.id), let ordinal = row.integer(Column.ordinal.rawValue),
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
    /// The devices at places of a chunk, with what each push asks: one statement for all of them.
    ///
    /// - Returns: the devices in the order of their places; who is gone is missing.
    func rangedDevices(at places: [Int], of stored: StoredChunk, _ app: AppReference) throws -> [RangedDevice] {
        guard !places.isEmpty else { return [] }
        let (wanted, among) = (DeviceSet(places), among(places, of: stored))
        var devices: [RangedDevice] = []
        devices.reserveCapacity(places.count)
        try connection.forEachRow(
            """
            SELECT \(RangedDevice.Column.list) FROM devices
                LEFT JOIN unread ON unread.app = devices.app AND unread.user = devices.user
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
