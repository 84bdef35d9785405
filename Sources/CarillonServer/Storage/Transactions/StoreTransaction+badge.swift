import CarillonCore

/// The number on the icon: a user's unread messages, and the pushes that carry nothing else.
///
/// The column `devices.badge` is the number that a device was told last; NULL where the service does not know it, and so
/// leaves it alone.
extension StoreTransaction {
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
        for row in silentDevices where try !isToldFromBits(row["id"]) {
            try queuePush(.badge, to: row["id"])
        }
    }

    /// The answer to receipts carries the unread count, and the SDK puts it on the icon.
    func noteNumberTold(to device: String) throws {
        let row = try row("SELECT app, user FROM devices WHERE id = ? AND badge IS NOT NULL", [device])
        guard let user = try row?.user() else { return }
        try execute("UPDATE devices SET badge = ? WHERE id = ?", [try unreadCount(of: user), device])
    }
}
