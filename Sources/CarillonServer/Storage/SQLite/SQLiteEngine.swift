import CarillonCore
import Foundation
import GRDB

/// The database engine SQLite: one file, shared by the processes of one machine.
///
/// The engine uses a write-ahead log with `synchronous = FULL`, so a commit returns after its fsync. Several processes may share
/// the file, for example one that accepts messages and one that sends them. A process waits up to
/// ``StoreLimits/databaseBusySeconds`` while another process writes.
///
/// Only the file's owner can read the file and SQLite's files beside it.
///
/// Concurrent writing calls of one process share a transaction (``GroupCommit``). ``Checkpoints`` copies the log into the
/// database without delaying these calls.
package final class SQLiteEngine: StoreEngine {
    let pool: DatabasePool
    let checkpoints: Checkpoints
    let writer: GroupCommit
    package let meter: DatabaseMeter
    package var waitingWrites: Int { writer.waitingCount }
    /// SQLite's `data_version` as the last check has read it; `nil` before the first check.
    ///
    /// The number changes when another connection writes to the file.
    private let foreignVersion = SharedValue<Int?>(nil)

    /// Opens the database, creates it if necessary, and upgrades its tables.
    ///
    /// - Parameters:
    ///   - path: the database file; its folder must exist.
    ///   - patience: the time in seconds for which a call waits for another process that writes. The default is
    ///     ``StoreLimits/databaseBusySeconds``.
    ///   - forCopy: whether to open the unfinished target of a copy, so that the copy can continue. The default is false.
    ///   - telling: receives sentences about an upgrade of the tables, for a log. The default does nothing.
    /// - Throws: ``ServiceError`` if SQLite refuses to make commits durable, or if the tables have a newer version; GRDB's
    ///   `DatabaseError` for errors of SQLite.
    package convenience init(
        path: String, patience: Double = StoreLimits.databaseBusySeconds, forCopy: Bool = false,
        telling: (String) -> Void = { _ in }
    ) throws {
        try self.init(path: path, schema: .current, patience: patience, forCopy: forCopy, telling: telling)
    }

    /// Opens the database, and creates its tables or upgrades them to the version of `schema`.
    ///
    /// The clock measures transactions. The default is the machine's.
    init(
        path: String, schema: Schema, patience: Double = StoreLimits.databaseBusySeconds, forCopy: Bool = false,
        clock: any CarillonClock = SystemClock(), telling: (String) -> Void = { _ in }
    ) throws {
        try SQLiteFile.requireVersion()
        try SQLiteFile.makePrivate(path)
        var configuration = Configuration()
        configuration.busyMode = SQLiteFile.patience(patience)
        configuration.label = "carillon.store"
        let log = LogLength()
        configuration.prepareDatabase { db in
            // Overwrites deleted data, because an erased user's texts must not stay in free pages.
            try db.execute(sql: "PRAGMA secure_delete = ON")
            try db.execute(sql: "PRAGMA journal_size_limit = \(StoreLimits.logFileBytes)")
            log.watch(db)
        }
        // The lock keeps two processes that start together from creating the tables twice.
        let pool = try FileLock(path: "\(path).lock").withLock {
            let pool = try DatabasePool(path: path, configuration: configuration)
            try SQLiteFile.makeDurable(pool)
            // Enlarges the page cache. The devices of one chunk may lie far apart, and are read when the chunk is created, when
            // pushes are handed over and when they are answered. The cache keeps their pages meanwhile.
            try pool.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA cache_size = -\(StoreLimits.writerCacheKiB)")
            }
            let isUnfinished = try pool.read { try $0.tableExists(CopiedTable.unfinished) }
            guard forCopy || !isUnfinished else { throw ServiceError.isUnfinishedCopy }
            try SQLiteFile.bringUpToDate(pool, to: schema, telling: telling)
            return pool
        }
        let checkpoints = try Checkpoints(of: pool, length: log)
        self.pool = pool
        self.checkpoints = checkpoints
        meter = DatabaseMeter(clock: clock)
        writer = GroupCommit(queue: SQLiteWriter(pool: pool, schema: schema), clock: clock, meter: meter) {
            checkpoints.committed()
        }
    }

    /// Opens the database, and waits as long as another process writes or the disk is full.
    ///
    /// - Parameters:
    ///   - path: the database file; its folder must exist.
    ///   - patience: the time in seconds between two calls of `waiting` during the wait.
    ///   - telling: receives sentences about an upgrade of the tables, for a log. The default does nothing.
    ///   - waiting: receives the reason for the wait.
    /// - Returns: the engine.
    /// - Throws: the errors of ``init(path:patience:forCopy:telling:)``, except those for a busy database and a full disk.
    package static func opened(
        path: String, patience: Double = StoreLimits.databaseBusySeconds, telling: (String) -> Void = { _ in },
        waiting: (String) -> Void
    ) throws -> SQLiteEngine {
        while true {
            let next = ContinuousClock.now + .seconds(patience)
            do {
                return try SQLiteEngine(path: path, patience: patience, telling: telling)
            } catch let error as DatabaseError where [.SQLITE_BUSY, .SQLITE_FULL].contains(error.resultCode) {
                waiting((error.explanation ?? .databaseIsBusy).description)
            }
            // SQLite has waited for another process's lock, or not at all, for instance if the lock excludes readers too.
            Thread.sleep(forTimeInterval: max(0, ContinuousClock.now.duration(to: next) / .seconds(1)))
        }
    }

    /// Closes the file once the calls in progress have ended.
    ///
    /// Calls that begin later fail.
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
    ) async throws -> Value {
        do {
            return try await pool.read { try body(SQLiteSession($0)) }
        } catch {
            throw GroupCommit.explaining(error)
        }
    }

    package var formerCopies: [String] { SQLiteFile.copies(of: pool.path) }

    /// Returns whether another process has written to the database since the last call of this function.
    ///
    /// The result is false at the first call, and never `nil`.
    ///
    /// The function compares values of SQLite's [data_version](https://www.sqlite.org/pragma.html#pragma_data_version). Commits
    /// of this connection do not change that number.
    package func wasWrittenElsewhere() async throws -> Bool? {
        let version = try await pool.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA data_version") }
        return foreignVersion.withLock { known in
            defer { known = version }
            return known != nil && known != version
        }
    }

    // SQLite has no announcements. Each process looks for changes at regular intervals.
    package func announce(_ announcement: StoreAnnouncement) {}
    package func announcements() -> AsyncStream<StoreAnnouncement> { AsyncStream { $0.finish() } }

    package func begin(_ sender: String) throws -> (any Sendable)? {
        try SenderPresence.begin(sender, beside: pool.path)
    }

    package func isGone(_ sender: String) -> Bool { SenderPresence.isGone(sender, beside: pool.path) }

    package func forget(_ sender: String) { SenderPresence.forget(sender, beside: pool.path) }

    /// Truncates the write-ahead log, so that deleted data does not remain in the log.
    ///
    /// If a reader still needs the log, a later checkpoint truncates it.
    package func removeTraces() async { try? await checkpoints.empty() }
}
