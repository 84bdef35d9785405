import CarillonCore

/// The number on the icon: a user's unread messages, and the pushes that carry nothing else.
///
/// The column `devices.badge` is the number that a device was told last; NULL where the service does not know it, and so leaves
/// it alone. A message that is sent by ranges is in a user's inbox if it is for a device that was the user's before it was
/// decided on: who signs in later sees nothing of whoever had the device then. It gets a row when it is read.
struct UnreadMessages: SessionPart {
    let session: StoreSession
    private let ranges: RangesTable
    private let devices: DevicesTable
    private let own: OwnPushes
    private let bits: DeviceChunks

    init(_ session: StoreSession) {
        self.session = session
        ranges = RangesTable(session)
        devices = DevicesTable(session)
        own = OwnPushes(session)
        bits = DeviceChunks(session)
    }

    /// The user's messages that are unread, not recalled and not expired.
    func unreadCount(of user: UserReference) throws -> Int {
        try unreadCount(
            of: user,
            counted: integer("SELECT count FROM unread WHERE app = ? AND user = ?", [user.app.rawValue, user.id]))
    }

    /// The same where it is known what the table `unread` has of the user.
    func unreadCount(of user: UserReference, counted count: Int) throws -> Int {
        let name: SQLArguments = [user.app.rawValue, user.id]
        let moment = now.millisecondsSince1970
        let broadcasts = try unreadRanged(of: user).count
        guard count > 0 else { return broadcasts }
        // What has just ended, or is being recalled, is still in that number until its turn comes.
        let ended = try integer(Self.endedCount("?", "?"), name + [moment])
        return broadcasts + count - ended - (try integer(Self.withdrawnCount("?", "?"), name + [moment]))
    }

    /// The same in SQL without what is sent by ranges, for rows of `devices` to which the table `unread` is joined; its two
    /// values are the moment.
    static let unreadOfDevice =
        """
        CASE WHEN unread.count > 0 THEN unread.count - (\(endedCount("devices.app", "devices.user")))
            - (\(withdrawnCount("devices.app", "devices.user"))) ELSE 0 END
        """

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

    /// The user's unread count has changed: devices to which nothing else travels get the number alone.
    ///
    /// `device` is where it was changed; it learns the number from the answer.
    func queueBadge(for user: UserReference, except device: String?) throws {
        let silentDevices = try rows(
            """
            SELECT id FROM devices WHERE app = ? AND user = ? AND id IS DISTINCT FROM ? AND state = 'active' AND token IS NOT NULL
                AND badge IS NOT NULL AND badge <> ?
                AND NOT EXISTS (SELECT 1 FROM deliveries WHERE device = devices.id AND state = 'queued'
                    AND purpose = 'removal')
            """, [user.app.rawValue, user.id, device, try unreadCount(of: user)])
        for row in silentDevices where try !bits.isToldFromBits(row["id"]) {
            try own.queuePush(.badge, to: row["id"])
        }
    }

    /// Notes the number that the answer to receipts tells a device, since its SDK puts that on the icon.
    func noteNumberTold(to device: String) throws {
        guard let user = try devices.userOfCountedIcon(device) else { return }
        try devices.note(unread: try unreadCount(of: user), of: device)
    }

    // MARK: Messages that are sent by ranges

    /// The user's unread ones, in the order of their numbers, over the newest ``ServiceLimits/liveBroadcasts``.
    func unreadRanged(of user: UserReference) throws -> [Int64] {
        guard try ranges.isCounting(user.app.rawValue) else { return [] }
        return try unreadRanged(
            of: user,
            where:
                "messages.recalled IS NULL AND ranges.ended IS NULL AND (messages.until IS NULL OR messages.until > ?)",
            [now.millisecondsSince1970])
    }

    func unreadRanged(
        of user: UserReference, where condition: String, _ arguments: SQLArguments
    ) throws -> [Int64] {
        let name: SQLArguments = [user.app.rawValue, user.id]
        let rows = try rows(
            """
            SELECT live, cancelled, chunks.number, chunks.message, chunks.first, chunks.marks, devices.ordinal
            FROM devices CROSS JOIN (
                SELECT ranges.message AS live, ranges.chunk_devices AS size, messages.cancelled,
                    messages.revision AS current
                FROM ranges JOIN messages ON messages.number = ranges.message
                WHERE ranges.app = ? AND ranges.counts = 1 AND (\(condition)) ORDER BY ranges.message DESC LIMIT ?
            ) AS lately \(dialect.orderedJoin) chunks ON chunks.message = live AND chunks.number > devices.bound
                AND chunks.first = devices.ordinal - (devices.ordinal - 1) % size AND chunks.revision = current
            WHERE devices.app = ? AND devices.user = ? AND devices.ordinal IS NOT NULL
                AND NOT EXISTS (SELECT 1 FROM inbox WHERE app = devices.app AND user = devices.user AND message = live
                    AND revision = current)
            """, [user.app.rawValue] + arguments + [ServiceLimits.liveBroadcasts] + name)
        let found = rows.filter { row in
            let ordinal: Int64 = row["ordinal"]
            let extract = ChunkExtract(row, changed: nil)
            // One that was cancelled stays where it may have arrived.
            return extract.contains(.addressed, ordinal)
                && (row.timestamp("cancelled") == nil || extract.containsAny(of: [.handed, .row], ordinal))
        }
        return Set(found.map { $0["live"] as Int64 }).sorted()
    }
}
