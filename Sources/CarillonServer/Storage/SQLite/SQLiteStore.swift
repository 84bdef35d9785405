import CarillonCore
import Foundation
import GRDB

/// The embedded engine: one SQLite file, for one machine.
///
/// Write-ahead log with `synchronous = FULL`: a commit returns after its fsync. Several processes may share the file
/// (one that accepts, one that sends); they wait for each other up to ``busyTimeoutSeconds``.
public final class SQLiteStore: Store {
    static let busyTimeoutSeconds = 10.0

    let pool: DatabasePool

    /// Opens the database, creates it if need be, and brings its schema up to date.
    ///
    /// - Parameter path: the database file; its folder must exist.
    /// - Throws: ``ServiceError`` when durability cannot be had, GRDB's `DatabaseError` for what SQLite reports.
    public init(path: String) throws {
        var configuration = Configuration()
        configuration.busyMode = .timeout(Self.busyTimeoutSeconds)
        configuration.label = "carillon.store"
        pool = try DatabasePool(path: path, configuration: configuration)
        // GRDB sets synchronous = NORMAL when it opens a pool in WAL mode, after any prepareDatabase. So it is set
        // here, and read back: without it a power cut would undo what was acknowledged.
        let level = try pool.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA synchronous = FULL")
            return try Int.fetchOne(db, sql: "PRAGMA synchronous")
        }
        guard level == 2 else {
            throw ServiceError(.storage, "SQLite refuses synchronous = FULL (it says \(level ?? -1)): check the build")
        }
        try SQLiteSchema.migrator.migrate(pool)
    }

    /// Closes the file. Calls that come later fail.
    public func close() throws { try pool.close() }

    func write<Value: Sendable>(
        at now: Timestamp, _ body: @escaping @Sendable (inout SQLiteTransaction) throws -> Value
    ) async throws -> Value {
        try await pool.write { db in
            var transaction = SQLiteTransaction(db: db, now: now)
            return try body(&transaction)
        }
    }
}
