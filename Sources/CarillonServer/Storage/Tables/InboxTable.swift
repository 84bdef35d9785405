import CarillonCore

/// Reads and writes the entries of users' inboxes: the table `inbox`.
///
/// Triggers update the table `unread`, which counts each user's unread entries.
struct InboxTable: StoreTable {
    let session: StoreSession

    /// Adds a message to a user's inbox as unread.
    ///
    /// If the inbox has an earlier revision of the message, the added revision replaces it, and the message is unread again.
    func fill(_ addressing: StepwiseWork.Addressing, user: String) throws {
        try execute(
            """
            INSERT INTO inbox (app, user, message, revision, until) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (app, user, message) DO UPDATE SET
                read = NULL, gone = 0, revision = excluded.revision, until = excluded.until
            WHERE inbox.revision < excluded.revision
            """,
            [
                addressing.app, user, addressing.message, addressing.revision,
                addressing.until?.millisecondsSince1970,
            ])
    }

    /// Adds a message in local time to the inboxes of the users whose devices, in a range of ids, have it due now.
    ///
    /// An inbox that has this revision already stays as it is.
    func fillDue(_ message: Int64, onDevicesFrom first: String, through last: String) throws {
        try execute(
            """
            INSERT INTO inbox (app, user, message, revision, until)
            SELECT DISTINCT messages.app, deliveries.user, messages.number, messages.revision, messages.until
            FROM deliveries JOIN messages ON messages.number = deliveries.message
            WHERE deliveries.message = ? AND deliveries.device BETWEEN ? AND ? AND deliveries.purpose = 'show'
                AND deliveries.state = 'queued' AND deliveries.due <= ? AND deliveries.user IS NOT NULL
                AND messages.recalled IS NULL AND messages.cancelled IS NULL
                AND (messages.until IS NULL OR messages.until > ?)
            ON CONFLICT (app, user, message) DO UPDATE SET
                read = NULL, gone = 0, revision = excluded.revision, until = excluded.until
            WHERE inbox.revision < excluded.revision
            """, [message, first, last, now.millisecondsSince1970, now.millisecondsSince1970])
    }

    /// Marks the entry of a message in a user's inbox as read.
    ///
    /// - Returns: whether the entry existed and was unread.
    func markRead(_ message: Int64, by user: UserReference) throws -> Bool {
        try changes(
            "UPDATE inbox SET read = ? WHERE app = ? AND user = ? AND message = ? AND read IS NULL",
            [now.millisecondsSince1970, user.app.rawValue, user.id, message]) > 0
    }

    /// Inserts an inbox entry that is already marked as read, because a user has read a message whose deliveries are kept as
    /// bitmaps, a bit for each device (``RangeRules``).
    ///
    /// Before that, the user's inbox has no entry for such a message.
    func insertRead(_ message: Int64, by user: UserReference) throws {
        try execute(
            """
            INSERT INTO inbox (app, user, message, revision, until, read)
            SELECT ?, ?, number, revision, until, ? FROM messages WHERE number = ?
            ON CONFLICT (app, user, message) DO UPDATE SET
                read = excluded.read, gone = 0, revision = excluded.revision, until = excluded.until
            """, [user.app.rawValue, user.id, now.millisecondsSince1970, message])
    }

    /// Returns the next inbox entries of a message as rows of `app`, `user`, `read` and `gone`, ordered by the user's id.
    ///
    /// - Parameters:
    ///   - message: the message's number.
    ///   - user: the user's id after which the entries begin.
    ///   - limit: the greatest number of entries.
    /// - Returns: the rows.
    /// - Throws: the errors of the database.
    func entries(of message: Int64, after user: String, limit: Int) throws -> [SQLRow] {
        try rows(
            "SELECT app, user, read, gone FROM inbox WHERE message = ? AND user > ? ORDER BY user LIMIT ?",
            [message, user, limit])
    }

    /// Returns the users whose inboxes still have a revision of the message that is older than `revision`, as rows of `app` and
    /// `user`.
    ///
    /// With `exceptDelivered`, users for whose devices the revision waits, or who are skipped, are left out.
    ///
    /// The result has at most `limit` rows.
    func entries(
        of message: Int64, before revision: Int, exceptDelivered: Bool, limit: Int
    ) throws -> [SQLRow] {
        try rows(
            """
            SELECT app, user FROM inbox WHERE message = ? AND revision < ?
                AND (CAST(? AS BIGINT) = 0 OR NOT EXISTS (SELECT 1 FROM deliveries
                    WHERE deliveries.message = inbox.message AND deliveries.user = inbox.user
                        AND deliveries.purpose = 'show' AND deliveries.revision >= ?))
            ORDER BY user LIMIT ?
            """, [message, revision, exceptDelivered ? 1 : 0, revision, limit])
    }

    /// Marks a message in a user's inbox as gone, so that it no longer counts as unread: it was recalled, was cancelled or has
    /// expired.
    func markGone(_ message: Int64, of user: UserReference) throws {
        try execute(
            "UPDATE inbox SET gone = 1 WHERE app = ? AND user = ? AND message = ?",
            [user.app.rawValue, user.id, message])
    }

    func delete(_ message: Int64, of user: UserReference) throws {
        try execute(
            "DELETE FROM inbox WHERE app = ? AND user = ? AND message = ?", [user.app.rawValue, user.id, message])
    }

    /// Deletes entries of a user's inbox, at most ``StoreLimits/rowsPerStep``.
    ///
    /// - Returns: the number of deleted entries.
    func empty(of user: UserReference) throws -> Int {
        let name: SQLArguments = [user.app.rawValue, user.id]
        return try changes(
            """
            DELETE FROM inbox WHERE app = ? AND user = ? AND message IN
                (SELECT message FROM inbox WHERE app = ? AND user = ? LIMIT ?)
            """, name + name + [StoreLimits.rowsPerStep])
    }

    /// Deletes the unread counts of at most `limit` users of an app, and returns their number.
    func deleteCounts(of app: AppNumber, limit: Int) throws -> Int {
        try changes(
            "DELETE FROM unread WHERE app = ? AND user IN (SELECT user FROM unread WHERE app = ? LIMIT ?)",
            [app.rawValue, app.rawValue, limit])
    }

    /// Deletes a message from at most `limit` inboxes, and returns the number of deleted entries.
    func purge(_ message: Int64, limit: Int) throws -> Int {
        try deleteRows(of: message, in: "inbox", by: "user", limit: limit)
    }
}
