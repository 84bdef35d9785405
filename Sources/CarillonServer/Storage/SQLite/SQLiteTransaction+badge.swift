import CarillonCore
import GRDB

/// The number on the icon: a user's unread messages, and the pushes that carry nothing else.
///
/// The column `devices.badge` is the number that a device was told last; NULL where the service does not know it, and so
/// leaves it alone.
extension SQLiteTransaction {
    /// The user's messages that are unread, not recalled and not expired.
    func unreadCount(of user: UserReference) throws -> Int {
        try integer(
            """
            SELECT count(*) FROM inbox JOIN messages ON messages.number = inbox.message
            WHERE inbox.app = ? AND inbox.user = ? AND inbox.read IS NULL AND messages.recalled IS NULL
                AND (messages.until IS NULL OR messages.until > ?)
            """, [user.app.rawValue, user.id, now.millisecondsSince1970])
    }

    /// The user's unread count has changed: devices to which nothing else travels get the number alone.
    ///
    /// `device` is where it was changed; it learns the number from the answer.
    func queueBadge(for user: UserReference, except device: String?) throws {
        let silentDevices = try rows(
            """
            SELECT id FROM devices WHERE app = ? AND user = ? AND id IS NOT ? AND state = 'active' AND token IS NOT NULL
                AND badge IS NOT NULL AND badge <> ?
                AND NOT EXISTS (SELECT 1 FROM deliveries WHERE device = devices.id AND state = 'queued'
                    AND purpose = 'removal')
            """, [user.app.rawValue, user.id, device, try unreadCount(of: user)])
        for row in silentDevices { try queuePush(.badge, to: row["id"]) }
    }

    /// The answer to receipts carries the unread count, and the SDK puts it on the icon.
    func noteNumberTold(to device: String) throws {
        let row = try row("SELECT app, user FROM devices WHERE id = ? AND badge IS NOT NULL", [device])
        guard let user = try row?.user() else { return }
        try execute("UPDATE devices SET badge = ? WHERE id = ?", [try unreadCount(of: user), device])
    }
}
