import CarillonCore
import Foundation
import GRDB

/// The embedded engine: one SQLite file, for one machine.
///
/// It uses a write-ahead log with `synchronous = FULL`, so a commit returns after its fsync. Several processes may share the
/// file (one that accepts, one that sends); they wait for each other up to ``StoreLimits/databaseBusySeconds``. Only the
/// file's owner can read it and the files beside it.
///
/// Calls that write concurrently share one transaction (``GroupCommit``). The log is copied into the database beside them
/// (``Checkpoints``).
package final class SQLiteEngine: StoreEngine {
    let pool: DatabasePool
    let checkpoints: Checkpoints
    let writer: GroupCommit
    /// SQLite's counter of other connections' writes, as of the last check.
    private let foreignVersion = SharedValue<Int?>(nil)

    /// Opens the database, creates it if necessary, and upgrades its tables.
    ///
    /// - Parameters:
    ///   - path: the database file; its folder must exist.
    ///   - patience: the time for which a call waits for another process that writes, in seconds.
    ///   - forCopy: whether an unfinished copy is accepted, because it is to be continued.
    /// - Throws: ``ServiceError`` if durability is not available or the database is of a newer version, GRDB's `DatabaseError`
    ///   for errors of SQLite.
    package convenience init(
        path: String, patience: Double = StoreLimits.databaseBusySeconds, forCopy: Bool = false
    ) throws {
        try self.init(path: path, schema: .current, patience: patience, forCopy: forCopy)
    }

    /// Opens the database for tables of another version than this program's.
    init(
        path: String, schema: Schema, patience: Double = StoreLimits.databaseBusySeconds, forCopy: Bool = false
    ) throws {
        try SQLiteFile.requireVersion()
        try SQLiteFile.makePrivate(path)
        var configuration = Configuration()
        configuration.busyMode = SQLiteFile.patience(patience)
        configuration.label = "carillon.store"
        let log = LogLength()
        configuration.prepareDatabase { db in
            // Deleted data is overwritten, because an erased user's texts must not stay in free pages.
            try db.execute(sql: "PRAGMA secure_delete = ON")
            try db.execute(sql: "PRAGMA journal_size_limit = \(StoreLimits.logFileBytes)")
            log.watch(db)
        }
        // The lock keeps two processes that start together from creating the tables twice.
        let pool = try FileLock(path: "\(path).lock").withLock {
            let pool = try DatabasePool(path: path, configuration: configuration)
            try SQLiteFile.makeDurable(pool)
            // Devices of one chunk that lie far apart are read when it is planned, handed over and answered; the cache keeps
            // their pages.
            try pool.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA cache_size = -\(StoreLimits.writerCacheKiB)")
            }
            let isUnfinished = try pool.read { try $0.tableExists(CopiedTable.unfinished) }
            guard forCopy || !isUnfinished else { throw ServiceError.isUnfinishedCopy }
            try SQLiteFile.bringUpToDate(pool, to: schema)
            return pool
        }
        let checkpoints = try Checkpoints(of: pool, length: log)
        self.pool = pool
        self.checkpoints = checkpoints
        writer = GroupCommit(queue: SQLiteWriter(pool: pool, schema: schema)) { checkpoints.committed() }
    }

    /// Opens the database as ``init(path:patience:forCopy:)`` does, and waits while another process writes or the disk
    /// is full.
    ///
    /// - Parameters:
    ///   - path: the database file; its folder must exist.
    ///   - patience: the time in seconds after which `waiting` is called, and the wait goes on.
    ///   - waiting: takes the reason for the wait.
    /// - Returns: the engine.
    /// - Throws: all other errors of ``init(path:patience:forCopy:)``.
    package static func opened(
        path: String, patience: Double = StoreLimits.databaseBusySeconds, waiting: (String) -> Void
    ) throws -> SQLiteEngine {
        while true {
            do {
                return try SQLiteEngine(path: path, patience: patience)
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
                waiting(ServiceError.databaseIsBusy.description)
            } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL {
                waiting(ServiceError.diskIsFull.description)
                Thread.sleep(forTimeInterval: patience)
            }
        }
    }

    /// Closes the file after the calls that are under way.
    ///
    /// Later calls fail.
    package func close() throws {
        try checkpoints.close()
        try pool.close()
    }

    package func inTransaction<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value { try await writer.write(body) }

    package func besideTransactions<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value { try await writer.write(isFirst: true, body) }

    package func onSnapshot<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value { try await pool.read { try body(SQLiteSession($0)) } }

    /// Returns whether another process has written since the last call.
    ///
    /// The writer's own commits leave the number unchanged
    /// ([data_version](https://www.sqlite.org/pragma.html#pragma_data_version)).
    package func wasWrittenElsewhere() async throws -> Bool? {
        let version = try await pool.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA data_version") }
        return foreignVersion.withLock { known in
            defer { known = version }
            return known != nil && known != version
        }
    }

    // SQLite has no announcements: each process looks at regular times.
    package func announce(_ announcement: StoreAnnouncement) {}
    package func announcements() -> AsyncStream<StoreAnnouncement> { AsyncStream { $0.finish() } }

    package func begin(_ sender: String) throws -> (any Sendable)? {
        try SenderPresence.begin(sender, beside: pool.path)
    }

    package func isGone(_ sender: String) -> Bool { SenderPresence.isGone(sender, beside: pool.path) }

    package func forget(_ sender: String) { SenderPresence.forget(sender, beside: pool.path) }

    /// Empties the log, which still has the old pages, now or after the present readers.
    package func removeTraces() async { try? await checkpoints.empty() }
}
