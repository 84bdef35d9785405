import CarillonCore
import Foundation
import GRDB

extension SQLiteStore {
    public func accept(_ message: NewMessage, at now: Timestamp) async throws -> Acceptance {
        try await write(at: now) { try $0.accept(message) }
    }

    public func recall(_ message: MessageID, at now: Timestamp) async throws -> [TimelineEvent]? {
        try await write(at: now) { transaction in
            guard let row = try transaction.row("SELECT recalled FROM messages WHERE id = ?", [message.rawValue]) else {
                return nil
            }
            if row.timestamp("recalled") == nil { try transaction.recall(message) }
            return transaction.events
        }
    }

    public func markRead(
        _ selection: ReadSelection, user: String, on device: String?, at now: Timestamp
    ) async throws -> ReadOutcome {
        try await write(at: now) { transaction in
            let messages = try transaction.unread(selection, of: user)
            for message in messages { try transaction.read(message, user: user, on: device) }
            return ReadOutcome(
                marked: messages.count, unread: try transaction.unreadCount(of: user), events: transaction.events)
        }
    }

    public func inbox(
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

    public func purge(before moment: Timestamp, limit: Int) async throws -> Int {
        try await write(at: moment) { try $0.purge(limit: limit) }
    }
}

extension SQLiteTransaction {
    /// Which of the selected messages the user has not read. Named messages count even when they are not in the
    /// inbox (a broadcast), so that they disappear from the user's devices too.
    fileprivate func unread(_ selection: ReadSelection, of user: String) throws -> [MessageID] {
        switch selection {
        case .messages(let ids):
            try ids.filter { id in
                let row = try row("SELECT read FROM inbox WHERE user = ? AND message = ?", [user, id.rawValue])
                if let row { return row.timestamp("read") == nil }
                return try integer(
                    "SELECT count(*) FROM deliveries WHERE message = ? AND user = ?", [id.rawValue, user]) > 0
            }
        case .revisions(let named):
            try unread(
                .messages(
                    named.filter { named in
                        try integer("SELECT revision FROM messages WHERE id = ?", [named.message.rawValue])
                            <= named.revision
                    }.map(\.message)), of: user)
        case .upTo(let moment):
            try rows(
                """
                SELECT inbox.message FROM inbox JOIN messages ON messages.id = inbox.message
                WHERE inbox.user = ? AND inbox.read IS NULL AND messages.accepted <= ? ORDER BY inbox.number
                """, [user, moment.millisecondsSince1970]
            ).map { try $0.messageID("message") }
        }
    }

    /// `now` is the moment before which messages are old.
    fileprivate func purge(limit: Int) throws -> Int {
        let old = try rows(
            """
            SELECT id FROM messages WHERE accepted < ? AND NOT EXISTS
                (SELECT 1 FROM deliveries WHERE message = messages.id AND state = 'queued')
            ORDER BY accepted LIMIT ?
            """, [now.millisecondsSince1970, limit]
        ).map { try $0.messageID("id") }
        for message in old {
            for table in ["deliveries", "removals", "events", "inbox"] {
                try execute("DELETE FROM \(table) WHERE message = ?", [message.rawValue])
            }
            try execute("DELETE FROM messages WHERE id = ?", [message.rawValue])
        }
        try execute(
            """
            DELETE FROM idempotency WHERE rowid IN (SELECT rowid FROM idempotency WHERE at < ? ORDER BY at LIMIT ?)
            """, [now.millisecondsSince1970, limit])
        return old.count
    }
}
