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

    fileprivate init(_ row: SQLRow, first: Int64) throws {
        func value<Value: SQLValueConvertible>(_ column: Column) -> Value? { row.value(at: column.rawValue) }
        guard let id: String = value(.id), let ordinal: Int64 = value(.ordinal),
            let environment = value(.environment).flatMap(APNsEnvironment.init(rawValue:))
        else { throw ServiceError(.storage, "the database holds something unreadable in column environment") }
        (self.id, self.ordinal, self.environment) = (id, ordinal, environment)
        place = Int(ordinal - first)
        isActive = value(.state) == DeviceRecord.State.active.rawValue
        (token, user, locale) = (value(.token), value(.user), value(.locale))
        isConfirmed = value(.isConfirmed) ?? false
        silentUnanswered = value(.silentUnanswered) ?? 0
        hasOpenRemovals = value(.hasOpenRemovals) ?? false
        countedUnread = value(.countedUnread) ?? 0
    }
}

extension StoreTransaction {
    /// The devices at places of a chunk, with what each push asks: one statement for all of them.
    ///
    /// - Returns: the devices in the order of their places; who is gone is missing.
    func rangedDevices(at places: [Int], of stored: StoredChunk, _ app: AppReference) throws -> [RangedDevice] {
        guard let least = places.first, let greatest = places.last else { return [] }
        let (first, last) = (stored.first + Int64(least), stored.first + Int64(greatest))
        // Neighbours are read in one go; of scattered ones each is looked up.
        guard greatest - least < places.count * 2 else {
            let wanted = Self.integers(places.map { stored.first + Int64($0) })
            return try rows(
                """
                SELECT \(RangedDevice.Column.list) FROM \(dialect.integersOfJSON) AS wanted \(dialect.orderedJoin) devices
                    ON devices.app = ? AND devices.ordinal = wanted.value
                    LEFT JOIN unread ON unread.app = devices.app AND unread.user = devices.user
                """, [wanted, app.number.rawValue]
            ).map { try RangedDevice($0, first: stored.first) }.sorted { $0.place < $1.place }
        }
        let wanted = DeviceSet(places)
        return try rows(
            """
            SELECT \(RangedDevice.Column.list) FROM devices
                LEFT JOIN unread ON unread.app = devices.app AND unread.user = devices.user
            WHERE devices.app = ? AND devices.ordinal BETWEEN ? AND ? ORDER BY devices.ordinal
            """, [app.number.rawValue, first, last]
        ).map { try RangedDevice($0, first: stored.first) }.filter { wanted.contains($0.place) }
    }

    /// Integers as a statement takes many of them.
    static func integers(_ numbers: [Int64]) -> String {
        "[\(numbers.map { String($0) }.joined(separator: ","))]"
    }
}
