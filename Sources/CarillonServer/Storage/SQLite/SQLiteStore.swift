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
package final class SQLiteStore: TransactionalStore {
    let pool: DatabasePool
    let checkpoints: Checkpoints
    let writer: GroupCommit
    package let templates = PushTemplates()
    /// SQLite's number for what other processes have written, when it was last looked at.
    private let foreignVersion = SharedValue<Int?>(nil)
    package let ranges: RangeRules

    /// Opens the database, creates it if need be, and brings its tables up to date.
    ///
    /// - Parameters:
    ///   - path: the database file; its folder must exist.
    ///   - patience: how many seconds a call waits for another process that is writing.
    ///   - ranges: when a message is sent by ranges.
    ///   - forCopy: whether an unfinished copy may be there, because it is to be gone on with.
    /// - Throws: ``ServiceError`` when durability cannot be had or the database is a newer version's, GRDB's
    ///   `DatabaseError` for what SQLite reports.
    package convenience init(
        path: String, patience: Double = ServiceLimits.databaseBusySeconds, ranges: RangeRules = RangeRules(),
        forCopy: Bool = false
    ) throws {
        try self.init(path: path, schema: .current, patience: patience, ranges: ranges, forCopy: forCopy)
    }

    /// Opens the database for tables of another version than this program's.
    init(
        path: String, schema: Schema, patience: Double = ServiceLimits.databaseBusySeconds,
        ranges: RangeRules = RangeRules(), forCopy: Bool = false
    ) throws {
        try SQLiteFile.requireVersion()
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
            // The devices of a chunk that lie far apart are read when it is planned, handed over and answered.
            try pool.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA cache_size = -\(ServiceLimits.writerCacheKiB)")
            }
            let isUnfinished = try pool.read { try $0.tableExists(CopiedTable.unfinished) }
            guard forCopy || !isUnfinished else { throw ServiceError.isUnfinishedCopy }
            try SQLiteFile.bringUpToDate(pool, to: schema)
            return pool
        }
        let checkpoints = try Checkpoints(of: pool, length: log)
        self.pool = pool
        self.checkpoints = checkpoints
        self.ranges = ranges
        writer = GroupCommit(queue: SQLiteWriter(pool: pool, schema: schema)) { checkpoints.committed() }
    }

    /// Opens the database as ``init(path:patience:ranges:forCopy:)`` does, and waits for as long as another process is
    /// writing to it or the disk is full.
    ///
    /// - Parameters:
    ///   - path: the database file; its folder must exist.
    ///   - patience: after how many seconds of waiting `waiting` is told, and the wait goes on.
    ///   - waiting: told why it waits.
    /// - Returns: the store.
    /// - Throws: as ``init(path:patience:ranges:forCopy:)`` does, for everything else.
    package static func opened(
        path: String, patience: Double = ServiceLimits.databaseBusySeconds, waiting: (String) -> Void
    ) throws -> SQLiteStore {
        while true {
            do {
                return try SQLiteStore(path: path, patience: patience)
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

    package func inTransaction<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value { try await writer.write(body) }

    package func besideTransactions<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value { try await writer.write(isFirst: true, body) }

    package func onSnapshot<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value { try await pool.read { try body(SQLiteSession($0)) } }

    /// The writer's own commits leave the number as it is
    /// ([data_version](https://www.sqlite.org/pragma.html#pragma_data_version)).
    package func wasWrittenElsewhere() async throws -> Bool? {
        let version = try await pool.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA data_version") }
        return foreignVersion.withLock { known in
            defer { known = version }
            return known != nil && known != version
        }
    }

    package func begin(_ sender: String) throws -> (any Sendable)? {
        try SenderPresence.begin(sender, beside: pool.path)
    }

    package func isGone(_ sender: String) -> Bool { SenderPresence.isGone(sender, beside: pool.path) }

    package func forget(_ sender: String) { SenderPresence.forget(sender, beside: pool.path) }

    /// The log has the old pages: it is emptied now, or later if somebody reads.
    package func removeTraces() async { try? await checkpoints.empty() }
}
