import CarillonCore
import GRDB

extension SQLiteStore {
    package func purge(before moment: Timestamp, limit: Int) async throws -> Int {
        try await write(at: moment) { try $0.purge(limit: limit) }
    }
}

extension SQLiteTransaction {
    /// `now` is the moment before which messages are old.
    fileprivate func purge(limit: Int) throws -> Int {
        let old = try rows(
            """
            SELECT number FROM messages WHERE accepted < ? AND NOT EXISTS
                (SELECT 1 FROM deliveries WHERE message = messages.number AND state = 'queued')
            ORDER BY accepted LIMIT ?
            """, [now.millisecondsSince1970, limit]
        ).map { $0["number"] as Int64 }
        for message in old {
            for table in ["deliveries", "removals", "events", "inbox", "work"] {
                try execute("DELETE FROM \(table) WHERE message = ?", [message])
            }
            try execute("DELETE FROM messages WHERE number = ?", [message])
        }
        try execute(
            """
            DELETE FROM idempotency WHERE number IN (SELECT number FROM idempotency WHERE at < ? ORDER BY at LIMIT ?)
            """, [now.millisecondsSince1970, limit])
        return old.count
    }
}
