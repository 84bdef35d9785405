import CarillonCore
import Foundation
import GRDB

/// The embedded engine: one SQLite file, for one machine.
///
/// Write-ahead log with `synchronous = FULL`: a commit returns after its fsync. Several processes may share the file
/// (one that accepts, one that sends); they wait for each other up to ``ServiceLimits/databaseBusySeconds``. Only the
/// file's owner can read it and what SQLite and the service put beside it.
package final class SQLiteStore: Store {
    let pool: DatabasePool

    /// Opens the database, creates it if need be, and brings its schema up to date.
    ///
    /// - Parameters:
    ///   - path: the database file; its folder must exist.
    ///   - now: noted where the schema is brought up to date.
    ///   - progress: told while the rows of an older database are copied, which may take minutes.
    /// - Throws: ``ServiceError`` when durability cannot be had or the database is a newer version's, GRDB's
    ///   `DatabaseError` for what SQLite reports.
    package init(
        path: String, at now: Timestamp, progress: @escaping @Sendable (UpgradeProgress) -> Void = { _ in }
    ) throws {
        try SQLiteFile.makePrivate(path)
        var configuration = Configuration()
        configuration.busyMode = .timeout(ServiceLimits.databaseBusySeconds)
        configuration.label = "carillon.store"
        // What is deleted is overwritten: an erased user's texts must not stay in free pages.
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA secure_delete = ON") }
        // Two processes that start together must not both make the tables.
        pool = try FileLock(path: "\(path).lock").withLock {
            let pool = try DatabasePool(path: path, configuration: configuration)
            try SQLiteFile.makeDurable(pool)
            try SQLiteFile.upgrade(pool, at: now, progress: progress)
            return pool
        }
    }

    /// Closes the file.
    ///
    /// Calls that come later fail.
    package func close() throws { try pool.close() }

    func write<Value: Sendable>(
        at now: Timestamp, _ body: @escaping @Sendable (inout SQLiteTransaction) throws -> Value
    ) async throws -> Value {
        try await pool.write { db in
            var transaction = SQLiteTransaction(db: db, now: now)
            return try body(&transaction)
        }
    }

    func read<Value: Sendable>(
        at now: Timestamp = Timestamp(millisecondsSince1970: 0),
        _ body: @escaping @Sendable (SQLiteTransaction) throws -> Value
    ) async throws -> Value {
        try await pool.read { db in try body(SQLiteTransaction(db: db, now: now)) }
    }
}
