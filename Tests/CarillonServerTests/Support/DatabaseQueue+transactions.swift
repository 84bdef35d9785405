import GRDB

extension DatabaseQueue {
    /// Another program's connection, which may leave a transaction open for as long as it likes.
    static func other(_ path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    /// Begins to read what is there now, until the transaction is committed.
    func beginReading() async throws {
        try await writeWithoutTransaction { db in
            try db.beginTransaction(.deferred)
            _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM messages")
        }
    }
}
