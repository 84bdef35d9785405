import CarillonCore

extension TransactionalStore {
    package func health() async throws -> StoreHealth {
        try await read { transaction in
            StoreHealth(
                setAside: try transaction.integer("SELECT count(*) FROM deliveries WHERE state = 'set-aside'")
                    + transaction.integer("SELECT count(*) FROM work WHERE problem IS NOT NULL")
                    + transaction.integer("SELECT count(*) FROM ranges WHERE problem IS NOT NULL")
                    + transaction.integer("SELECT count(*) FROM chunks WHERE problem IS NOT NULL"))
        }
    }

    package func setAside(limit: Int) async throws -> [SetAsideDelivery] {
        try await read { transaction in
            try transaction.rows(
                """
                SELECT deliveries.number, messages.id, deliveries.device, deliveries.problem
                FROM deliveries LEFT JOIN messages ON messages.number = deliveries.message
                WHERE deliveries.state = 'set-aside'
                UNION ALL
                SELECT -chunks.number, messages.id, 'those from the ' || chunks.first || '. on', chunks.problem
                FROM chunks LEFT JOIN messages ON messages.number = chunks.message WHERE chunks.problem IS NOT NULL
                UNION ALL
                SELECT 0, messages.id, 'all further ones', ranges.problem
                FROM ranges LEFT JOIN messages ON messages.number = ranges.message WHERE ranges.problem IS NOT NULL
                ORDER BY 1 LIMIT ?
                """, [limit]
            ).map { row in
                SetAsideDelivery(
                    number: row["number"], message: row.text("id"), device: row["device"],
                    problem: row.text("problem") ?? "")
            }
        }
    }

    package func retrySetAside(at now: Timestamp) async throws -> Int {
        try await write(at: now) { transaction in
            let deliveries = try transaction.changes(
                "UPDATE deliveries SET state = 'queued', problem = NULL, due = ? WHERE state = 'set-aside'",
                [now.millisecondsSince1970])
            let work = try transaction.changes("UPDATE work SET problem = NULL WHERE problem IS NOT NULL")
            return try deliveries + work + transaction.retryRanges()
        }
    }
}

extension StoreTransaction {
    /// - Returns: how many messages and chunks there were.
    fileprivate func retryRanges() throws -> Int {
        var count = try changes("UPDATE ranges SET problem = NULL, open = 1 WHERE problem IS NOT NULL")
        for row in try rows("SELECT number FROM chunks WHERE problem IS NOT NULL") {
            count += 1
            try execute("UPDATE chunks SET problem = NULL WHERE number = ?", [row["number"] as Int64])
            try change(row["number"]) { $0.tryAgain() }
        }
        return count
    }

    /// A row that cannot be read must not stop the others: it waits for a person.
    func setAside(_ number: Int64, because error: any Error) throws {
        try execute(
            "UPDATE deliveries SET state = 'set-aside', sender = NULL, problem = ? WHERE number = ?",
            ["\(error)", number])
    }
}
