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

    fileprivate init(_ row: SQLRow, first: Int64) throws {
        (id, ordinal) = (row["id"], row["ordinal"])
        place = Int(ordinal - first)
        environment = try row.choice("environment")
        isActive = row.text("state") == DeviceRecord.State.active.rawValue
        (token, user, locale) = (row.text("token"), row.text("user"), row.text("locale"))
        isConfirmed = row["is_confirmed"]
        silentUnanswered = row["silent_unanswered"]
        hasOpenRemovals = row["has_removals"]
        countedUnread = row["count"] ?? 0
    }
}

extension StoreTransaction {
    /// The devices at places of a chunk, with what each push asks: one statement for all of them.
    ///
    /// - Returns: the devices by their places; who is gone is missing.
    func rangedDevices(at places: [Int], of stored: StoredChunk, _ app: AppReference) throws -> [Int: RangedDevice] {
        let rows = try rows(
            """
            SELECT devices.id, devices.ordinal, devices.environment, devices.state, devices.token, devices.user,
                devices.locale, devices.confirmed IS NOT NULL AS is_confirmed, devices.silent_unanswered,
                EXISTS (SELECT 1 FROM removals WHERE removals.device = devices.id AND removals.confirmed IS NULL)
                    AS has_removals, unread.count
            FROM \(dialect.integersOfJSON) AS wanted \(dialect.orderedJoin) devices
                ON devices.app = ? AND devices.ordinal = wanted.value
                LEFT JOIN unread ON unread.app = devices.app AND unread.user = devices.user
            """, [Self.integers(places.map { stored.first + Int64($0) }), app.number.rawValue])
        var devices = [Int: RangedDevice](minimumCapacity: rows.count)
        for row in rows {
            let device = try RangedDevice(row, first: stored.first)
            devices[device.place] = device
        }
        return devices
    }

    /// Integers as a statement takes many of them.
    static func integers(_ numbers: [Int64]) -> String {
        "[\(numbers.map { String($0) }.joined(separator: ","))]"
    }
}
