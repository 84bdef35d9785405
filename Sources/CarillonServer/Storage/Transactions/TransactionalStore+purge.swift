import CarillonCore

extension TransactionalStore {
    package func purge(before moment: Timestamp, limit: Int) async throws -> Int {
        let old = try await read(at: moment) { try $0.oldMessages(limit: limit) }
        var deleted = 0
        for number in old {
            var isDone = false
            while !isDone { isDone = try await write(at: moment) { try $0.purge(number) } }
            deleted += 1
        }
        var keys = limit
        while keys > 0 {
            let count = try await write(at: moment) { [keys] in
                try $0.purgeKeys(limit: min(keys, ServiceLimits.rowsPerStep))
            }
            keys = count == 0 ? 0 : keys - count
        }
        return deleted
    }
}

/// `now` is the moment before which messages are old.
extension StoreTransaction {
    fileprivate func oldMessages(limit: Int) throws -> [Int64] {
        try rows(
            """
            SELECT number FROM messages WHERE accepted < ? AND coalesce(send_at, accepted) < ?
                AND NOT EXISTS (SELECT 1 FROM deliveries WHERE message = messages.number AND state = 'queued')
                AND NOT EXISTS (SELECT 1 FROM work WHERE message = messages.number)
                AND NOT EXISTS (SELECT 1 FROM ranges WHERE message = messages.number AND open = 1)
                AND NOT EXISTS (SELECT 1 FROM chunks WHERE message = messages.number
                    AND (open = 1 OR removing = 1 OR sender IS NOT NULL OR follow IS NOT NULL
                        OR EXISTS (SELECT 1 FROM removal_leases WHERE removal_leases.chunk = chunks.number)))
            ORDER BY accepted LIMIT ?
            """, [now.millisecondsSince1970, now.millisecondsSince1970, limit]
        ).map { $0["number"] }
    }

    /// Deletes the next rows of a message, and the message with the last of them.
    ///
    /// - Returns: whether there is nothing left; also when the message was accepted again meanwhile.
    fileprivate func purge(_ message: Int64) throws -> Bool {
        let isOld = try integer(
            "SELECT count(*) FROM messages WHERE number = ? AND accepted < ?", [message, now.millisecondsSince1970])
        guard isOld > 0 else { return true }
        var left = ServiceLimits.rowsPerStep
        for (table, key) in Self.tablesOfMessages {
            left -= try changes(
                "DELETE FROM \(table) WHERE message = ? AND \(key) IN (SELECT \(key) FROM \(table) WHERE message = ? LIMIT ?)",
                [message, message, left])
            guard left > 0 else { return false }
        }
        try execute("DELETE FROM messages WHERE number = ?", [message])
        return true
    }

    /// What belongs to a message, and what tells its rows apart.
    private static let tablesOfMessages = [
        ("deliveries", "number"), ("removals", "device"), ("events", "number"), ("inbox", "user"),
        ("message_variables", "user"), ("chunks", "number"), ("ranges", "message"),
    ]

    fileprivate func purgeKeys(limit: Int) throws -> Int {
        try changes(
            """
            DELETE FROM idempotency WHERE number IN (SELECT number FROM idempotency WHERE at < ? ORDER BY at LIMIT ?)
            """, [now.millisecondsSince1970, limit])
    }
}
