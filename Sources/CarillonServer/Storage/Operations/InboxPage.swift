import CarillonCore

/// Reads a user's inbox, one page at a time.
struct InboxPage: SessionPart {
    let session: StoreSession
    private let messages: MessagesTable
    private let broadcasts: UnreadBroadcasts

    init(_ session: StoreSession) {
        self.session = session
        messages = MessagesTable(session)
        broadcasts = UnreadBroadcasts(session)
    }

    /// Returns the number of a message in a user's inbox; `nil` if the inbox does not have the message.
    ///
    /// The answer to a phone names a page by a message's id, because numbers count the messages of all apps.
    func place(of message: MessageID, inInboxOf user: UserReference) throws -> Int64? {
        guard let number = try messages.number(of: MessageReference(message, of: user.app)) else { return nil }
        let isThere = try integer(
            "SELECT count(*) FROM inbox WHERE app = ? AND user = ? AND message = ?",
            [user.app.rawValue, user.id, number])
        if isThere > 0 { return number }
        return try broadcasts.unread(of: user).contains(number) ? number : nil
    }

    func entries(
        of user: UserReference, in locale: String?, before number: Int64?, limit: Int
    ) throws -> [InboxEntry] {
        let unreadBroadcasts = try Self.json(broadcasts.unread(of: user))
        return try rows(
            """
            SELECT messages.*, inbox.read FROM inbox JOIN messages ON messages.number = inbox.message
            WHERE inbox.app = ? AND inbox.user = ? AND messages.number < ? AND messages.recalled IS NULL AND inbox.gone = 0
                AND (messages.ranged = 0 OR inbox.revision = messages.revision)
                AND (messages.until IS NULL OR messages.until > ?)
            UNION ALL
            SELECT messages.*, NULL FROM \(dialect.integersOfJSON) AS unread
                \(dialect.orderedJoin) messages ON messages.number = unread.value
            WHERE messages.number < ?
            ORDER BY number DESC LIMIT ?
            """,
            [
                user.app.rawValue, user.id, number ?? Int64.max, now.millisecondsSince1970, unreadBroadcasts,
                number ?? Int64.max, limit,
            ]
        ).map { row in
            InboxEntry(
                number: try row["number"], id: try row.messageID("id"),
                acceptedAt: try row.requiredTimestamp("accepted"), until: row.timestamp("until"),
                readAt: row.timestamp("read"), revision: try row["revision"],
                payload: try messages.message(in: row, in: locale, for: user).payload)
        }
    }
}
