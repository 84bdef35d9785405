import CarillonCore
import GRDB

extension SQLiteStore {
    package func health() async throws -> StoreHealth {
        try await read { transaction in
            StoreHealth(
                setAside: try transaction.integer("SELECT count(*) FROM deliveries WHERE state = 'set-aside'")
                    + transaction.integer("SELECT count(*) FROM work WHERE problem IS NOT NULL"))
        }
    }

    package func setAside(limit: Int) async throws -> [SetAsideDelivery] {
        try await read { transaction in
            try transaction.rows(
                """
                SELECT deliveries.number, messages.id, deliveries.device, deliveries.problem
                FROM deliveries LEFT JOIN messages ON messages.number = deliveries.message
                WHERE deliveries.state = 'set-aside' ORDER BY deliveries.number LIMIT ?
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
            try transaction.execute(
                "UPDATE deliveries SET state = 'queued', problem = NULL, due = ? WHERE state = 'set-aside'",
                [now.millisecondsSince1970])
            let count = transaction.db.changesCount
            try transaction.execute("UPDATE work SET problem = NULL WHERE problem IS NOT NULL")
            return count + transaction.db.changesCount
        }
    }
}

extension SQLiteTransaction {
    /// A row that cannot be read must not stop the others: it waits for a person.
    func setAside(_ number: Int64, because error: any Error) throws {
        try execute(
            "UPDATE deliveries SET state = 'set-aside', sender = NULL, problem = ? WHERE number = ?",
            ["\(error)", number])
    }
}
