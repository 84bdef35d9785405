import CarillonCore
import GRDB

extension SQLiteStore {
    package func inbox(
        user: UserReference, before number: Int64?, limit: Int, at now: Timestamp
    ) async throws -> [InboxEntry] {
        try await read(at: now) { transaction in
            try transaction.rows(
                """
                SELECT messages.*, inbox.read FROM inbox JOIN messages ON messages.number = inbox.message
                WHERE inbox.app = ? AND inbox.user = ? AND messages.number < ? AND messages.recalled IS NULL
                    AND (messages.until IS NULL OR messages.until > ?)
                ORDER BY messages.number DESC LIMIT ?
                """,
                [user.app.rawValue, user.id, number ?? Int64.max, now.millisecondsSince1970, limit]
            ).map { row in
                InboxEntry(
                    number: row["number"], id: try row.messageID("id"),
                    acceptedAt: try row.requiredTimestamp("accepted"), until: row.timestamp("until"),
                    readAt: row.timestamp("read"), revision: row["revision"], payload: try row.payload("payload"))
            }
        }
    }
}

/// The inboxes that a message is in: one row for each user of its app.
extension SQLiteTransaction {
    /// Puts a message into the inbox of each user it is for, as unread; out of all inboxes if it does not count.
    func fillInbox(_ message: NewMessage, _ number: Int64, _ revision: Int) throws {
        guard message.countsAsUnread else {
            try execute("DELETE FROM inbox WHERE message = ?", [number])
            return
        }
        let users = try Self.users(message, number, revision)
        try execute(
            """
            INSERT INTO inbox (app, user, message) SELECT DISTINCT ?, user, ? FROM (\(users.sql)) WHERE true
            ON CONFLICT (app, user, message) DO UPDATE SET read = NULL
            """, [message.app.number.rawValue, number] + users.arguments)
    }

    /// Takes a message out of the inboxes of users whom its new revision does not address.
    func emptyOtherInboxes(_ message: NewMessage, _ number: Int64, _ revision: Int) throws {
        let users = try Self.users(message, number, revision)
        let losers = try rows(
            "DELETE FROM inbox WHERE message = ? AND user NOT IN (\(users.sql)) RETURNING user",
            [number] + users.arguments)
        for row in losers { try queueBadge(for: UserReference(row["user"], of: message.app.number), except: nil) }
    }

    /// The users whom a revision addresses.
    private static func users(
        _ message: NewMessage, _ number: Int64, _ revision: Int
    ) throws -> (sql: String, arguments: StatementArguments) {
        switch message.audience {
        case .users(let users): ("SELECT value AS user FROM json_each(?)", [try json(users)])
        case .everyone, .matching, .devices:
            (
                """
                SELECT user FROM deliveries
                WHERE message = ? AND revision = ? AND purpose = 'show' AND user IS NOT NULL
                """, [number, revision]
            )
        }
    }
}
