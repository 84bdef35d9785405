import CarillonCore

/// Counts users' unread messages, and queues pushes that only set the badge to this count.
///
/// The column `devices.badge` stores the badge number that the service last sent to the device. If the column is NULL, the
/// service does not set the device's badge.
struct UnreadMessages: SessionPart {
    let session: StoreSession
    private let devices: DevicesTable
    private let own: OwnPushes
    private let bits: DeviceChunks
    private let broadcasts: UnreadBroadcasts

    init(_ session: StoreSession) {
        self.session = session
        devices = DevicesTable(session)
        own = OwnPushes(session)
        bits = DeviceChunks(session)
        broadcasts = UnreadBroadcasts(session)
    }

    /// Returns the number of a user's messages that are unread, not recalled and not expired.
    func unreadCount(of user: UserReference) throws -> Int { try numbers(of: [user])[user] }

    /// Returns the unread counts of several users.
    ///
    /// The number of SQL statements does not grow with the number of users.
    func numbers(of users: [UserReference]) throws -> UnreadNumbers {
        var numbers = UnreadNumbers()
        for (app, named) in Dictionary(grouping: users, by: \.app) {
            let names = named.map(\.id)
            for row in try rows(counted(names, of: app)) {
                try numbers.add(row["count"], of: UserReference(row["user"], of: app))
            }
            for (user, messages) in try broadcasts.unread(names, of: app) {
                numbers.add(messages.count, of: UserReference(user.id, of: app))
            }
        }
        return numbers
    }

    /// Returns the queries with which ``numbers(of:)`` begins.
    func first(of users: [UserReference]) throws -> [SQLStatement] {
        try Dictionary(grouping: users, by: \.app).flatMap { app, named in
            [try counted(named.map(\.id), of: app), RangesTable.counting(app.rawValue)]
        }
    }

    /// Returns the query for the unread counts of an app's users, as rows of `user` and `count`.
    ///
    /// The query subtracts messages that have expired or are being recalled, but that the table `unread` still counts. A later
    /// step removes them from the table.
    private func counted(_ users: [String], of app: AppNumber) throws -> SQLStatement {
        let moment = now.millisecondsSince1970
        return SQLStatement(
            sql: """
                SELECT unread.user, unread.count - (\(Self.endedCount("unread.app", "unread.user")))
                    - (\(Self.withdrawnCount("unread.app", "unread.user"))) AS count
                FROM unread WHERE unread.app = ? AND unread.count > 0
                    AND unread.user IN (SELECT value FROM \(dialect.textsOfJSON) AS named)
                """, arguments: [moment, moment, app.rawValue, try Self.json(users.sorted())])
    }

    static func endedCount(_ app: String, _ user: String) -> String {
        """
        SELECT count(*) FROM inbox
        WHERE inbox.app = \(app) AND inbox.user = \(user) AND inbox.read IS NULL AND inbox.gone = 0 AND inbox.until <= ?
        """
    }

    static func withdrawnCount(_ app: String, _ user: String) -> String {
        """
        SELECT count(*) FROM work CROSS JOIN inbox
        WHERE inbox.app = \(app) AND inbox.user = \(user) AND inbox.message = work.message AND work.kind = 'recall'
            AND inbox.read IS NULL AND inbox.gone = 0 AND (inbox.until IS NULL OR inbox.until > ?)
        """
    }

    /// Queues a badge push to each of a user's devices whose badge differs from the unread count.
    ///
    /// A device that waits for a removal push gets no badge push, because the removal push also sets the badge.
    ///
    /// - Parameters:
    ///   - user: the user.
    ///   - device: the device whose request has changed the count. It gets no push, because the service's answer contains the
    ///     count.
    /// - Throws: the errors of the database.
    func queueBadge(for user: UserReference, except device: String?) throws {
        try queueBadges(for: [user], except: device)
    }

    /// Queues badge pushes to the devices of several users like ``queueBadge(for:except:)``.
    ///
    /// The number of SQL statements that PostgreSQL is waited for does not grow with the number of users.
    func queueBadges(for users: [UserReference], except device: String? = nil) throws {
        try foresee(first(of: users))
        let counts = try numbers(of: users)
        let queries = users.map { user in
            SQLStatement(
                sql: """
                    SELECT id FROM devices WHERE app = ? AND user = ? AND id IS DISTINCT FROM ? AND state = 'active'
                        AND token IS NOT NULL AND badge IS NOT NULL AND badge <> ?
                        AND NOT EXISTS (SELECT 1 FROM deliveries WHERE device = devices.id AND state = 'queued'
                            AND purpose = 'removal')
                    """, arguments: [user.app.rawValue, user.id, device, counts[user]])
        }
        try foresee(queries)
        let silent = try queries.flatMap { try rows($0) }.map { try $0["id"] as String }
        for id in silent where try !bits.isToldFromBits(id) { try own.queuePush(.badge, to: id) }
    }

    /// Records the unread count that the service is about to send to a device in its answer to a receipt.
    ///
    /// The device's SDK sets this count as the badge, so no badge push for this count is needed.
    /// The parameter `user` is the device's user, if the service sets its badge (``DevicesTable/userOfCountedIcon(_:)``).
    func noteNumberTold(to device: String, of user: UserReference) throws {
        try foresee(first(of: [user]))
        try devices.note(unread: try unreadCount(of: user), of: device)
    }
}

/// The unread counts of several users.
struct UnreadNumbers {
    private var counts: [AppNumber: [UserName: Int]] = [:]

    /// The unread count of a user.
    ///
    /// The value is 0 for a user without unread messages, and for a user whose count was not requested.
    subscript(user: UserReference) -> Int { counts[user.app]?[UserName(user.id)] ?? 0 }

    mutating func add(_ count: Int, of user: UserReference) {
        counts[user.app, default: [:]][UserName(user.id), default: 0] += count
    }
}

/// A user's id as a dictionary key, compared byte for byte as in the database.
///
/// Swift's `String` would instead compare by Unicode equivalence.
struct UserName: Hashable {
    let id: String

    init(_ id: String) { self.id = id }

    static func == (left: Self, right: Self) -> Bool { UserID.isEqual(left.id, right.id) }

    func hash(into hasher: inout Hasher) {
        for byte in id.utf8 { hasher.combine(byte) }
    }
}
