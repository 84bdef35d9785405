import CarillonCore
import GRDB

extension SQLiteStore {
    package func inbox(
        user: String, before number: Int64?, limit: Int, at now: Timestamp
    ) async throws -> [InboxEntry] {
        try await pool.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT messages.*, inbox.read FROM inbox JOIN messages ON messages.id = inbox.message
                    WHERE inbox.user = ? AND messages.number < ? AND messages.recalled IS NULL
                        AND (messages.until IS NULL OR messages.until > ?)
                    ORDER BY messages.number DESC LIMIT ?
                    """,
                arguments: [user, number ?? Int64.max, now.millisecondsSince1970, limit]
            ).map { row in
                InboxEntry(
                    number: row["number"], id: try row.messageID("id"),
                    acceptedAt: try row.requiredTimestamp("accepted"), until: row.timestamp("until"),
                    readAt: row.timestamp("read"), revision: row["revision"], payload: try row.payload("payload"))
            }
        }
    }
}

extension SQLiteTransaction {
    /// Puts a message into the inbox of each user it is for, as unread; out of all inboxes if it does not count.
    func fillInbox(_ message: NewMessage) throws {
        guard message.countsAsUnread else {
            try execute("DELETE FROM inbox WHERE message = ?", [message.id.rawValue])
            return
        }
        let users: (sql: String, StatementArguments) =
            switch message.audience {
            case .users(let users): ("SELECT value AS user FROM json_each(?)", [try Self.json(users)])
            case .everyone, .devices:
                (
                    "SELECT user FROM deliveries WHERE message = ? AND purpose = 'show' AND user IS NOT NULL",
                    [message.id.rawValue]
                )
            }
        try execute(
            """
            INSERT INTO inbox (user, message, number)
            SELECT DISTINCT user, ?, (SELECT number FROM messages WHERE id = ?) FROM (\(users.sql)) WHERE true
            ON CONFLICT (user, message) DO UPDATE SET read = NULL
            """, [message.id.rawValue, message.id.rawValue] + users.1)
    }
}
