import CarillonCore
import Foundation
import GRDB

/// The embedded engine: one SQLite file, for one machine.
///
/// Write-ahead log with `synchronous = FULL`: a commit returns after its fsync. Several processes may share the file
/// (one that accepts, one that sends); they wait for each other up to ``ServiceLimits/databaseBusySeconds``. Only the
/// file's owner can read it and what SQLite and the service put beside it.
///
/// Calls that write at the same time share one transaction (``GroupCommit``); the log is copied into the database beside
/// them (``Checkpoints``).
package final class SQLiteStore: Store {
    let pool: DatabasePool
    let checkpoints: Checkpoints
    private let writer: GroupCommit

    /// Opens the database, creates it if need be, and brings its schema up to date.
    ///
    /// - Parameters:
    ///   - path: the database file; its folder must exist.
    ///   - now: noted where the schema is brought up to date.
    ///   - patience: how many seconds a call waits for another process that is writing.
    ///   - progress: told while the rows of an older database are copied, which may take minutes.
    /// - Throws: ``ServiceError`` when durability cannot be had or the database is a newer version's, GRDB's
    ///   `DatabaseError` for what SQLite reports.
    package init(
        path: String, at now: Timestamp, patience: Double = ServiceLimits.databaseBusySeconds,
        progress: @escaping @Sendable (UpgradeProgress) -> Void = { _ in }
    ) throws {
        try SQLiteFile.makePrivate(path)
        var configuration = Configuration()
        configuration.busyMode = SQLiteFile.patience(patience)
        configuration.label = "carillon.store"
        let log = LogLength()
        configuration.prepareDatabase { db in
            // What is deleted is overwritten: an erased user's texts must not stay in free pages.
            try db.execute(sql: "PRAGMA secure_delete = ON")
            try db.execute(sql: "PRAGMA journal_size_limit = \(ServiceLimits.logFileBytes)")
            log.watch(db)
        }
        // Two processes that start together must not both make the tables.
        let pool = try FileLock(path: "\(path).lock").withLock {
            let pool = try DatabasePool(path: path, configuration: configuration)
            try SQLiteFile.makeDurable(pool)
            try SQLiteFile.upgrade(pool, at: now, progress: progress)
            return pool
        }
        let checkpoints = try Checkpoints(of: pool, length: log)
        self.pool = pool
        self.checkpoints = checkpoints
        writer = GroupCommit(pool: pool) { checkpoints.committed() }
    }

    /// Opens the database as ``init(path:at:patience:progress:)`` does, and waits for as long as another process is writing to it or the disk is
    /// full.
    ///
    /// - Parameters:
    ///   - path: the database file; its folder must exist.
    ///   - now: noted where the schema is brought up to date.
    ///   - patience: after how many seconds of waiting `waiting` is told, and the wait goes on.
    ///   - waiting: told why it waits.
    ///   - progress: told while the rows of an older database are copied.
    /// - Returns: the store.
    /// - Throws: as ``init(path:at:patience:progress:)`` does, for everything else.
    package static func opened(
        path: String, at now: Timestamp, patience: Double = ServiceLimits.databaseBusySeconds,
        waiting: (String) -> Void,
        progress: @escaping @Sendable (UpgradeProgress) -> Void = { _ in }
    ) throws -> SQLiteStore {
        while true {
            do {
                return try SQLiteStore(path: path, at: now, patience: patience, progress: progress)
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
                waiting(ServiceError.databaseIsBusy.description)
            } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL {
                waiting(ServiceError.diskIsFull.description)
                Thread.sleep(forTimeInterval: patience)
            }
        }
    }

    /// Closes the file, after the calls that are under way.
    ///
    /// Calls that come later fail.
    package func close() throws {
        try checkpoints.close()
        try pool.close()
    }

    /// Runs `body` in a transaction, which it may share with others, and returns when it is on the disk.
    ///
    /// - Parameters:
    ///   - now: the moment the call stands for.
    ///   - body: is undone as a whole when it throws, and nobody else's call with it.
    /// - Returns: what `body` returns.
    /// - Throws: what `body` throws, and what ``GroupCommit/write(_:)`` does.
    func write<Value: Sendable>(
        at now: Timestamp, _ body: @escaping @Sendable (inout SQLiteTransaction) throws -> Value
    ) async throws -> Value {
        try await writer.write { db in
            var transaction = SQLiteTransaction(db: db, now: now)
            return try body(&transaction)
        }
    }

    /// The same for work that grows with an audience: what the first transaction has no room for is done in further ones.
    ///
    /// Other calls come in between. After a crash, or when the caller is cancelled, a sender goes on.
    ///
    /// - Returns: what `body` returns, and the events of all transactions.
    func writeInSteps<Value: Sendable>(
        at now: Timestamp, _ body: @escaping @Sendable (inout SQLiteTransaction) throws -> Value
    ) async throws -> (value: Value, events: [TimelineEvent]) {
        let first = try await write(at: now) { transaction in
            (value: try body(&transaction), events: transaction.events, unfinished: transaction.unfinished)
        }
        var (events, unfinished) = (first.events, first.unfinished)
        while !unfinished.isEmpty {
            let step = try await write(at: now) { [unfinished] transaction in
                try transaction.goOn(with: unfinished)
                return (events: transaction.events, unfinished: transaction.unfinished)
            }
            events += step.events
            unfinished = step.unfinished
        }
        return (first.value, events)
    }

    func read<Value: Sendable>(
        at now: Timestamp = Timestamp(millisecondsSince1970: 0),
        _ body: @escaping @Sendable (SQLiteTransaction) throws -> Value
    ) async throws -> Value {
        try await pool.read { db in try body(SQLiteTransaction(db: db, now: now)) }
    }
}
