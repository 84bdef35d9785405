import CarillonCore
import Foundation
import GRDB
import GRDBSQLite

/// Prepares the database file: its permissions, its durability, and the version of its tables.
enum SQLiteFile {
    /// The oldest version of SQLite that the store can use: 3.39, the first with `IS DISTINCT FROM`, which PostgreSQL has too.
    ///
    /// Ubuntu 22.04 has version 3.37, which is too old.
    private static let oldestVersion = 3_039_000

    /// Checks that this machine's SQLite is new enough for the store's statements.
    ///
    /// - Parameter version: the version in SQLite's form, such as 3039000 for 3.39.0. The default is the version of the loaded
    ///   library.
    /// - Throws: ``ServiceError`` if the version is too old.
    static func requireVersion(_ version: Int = Int(sqlite3_libversion_number())) throws {
        guard version < oldestVersion else { return }
        let found = "\(version / 1_000_000).\(version / 1000 % 1000).\(version % 1000)"
        throw ServiceError(
            .storage,
            "SQLite 3.39 or newer is needed, and this machine has \(found): use Debian 12, Ubuntu 24.04 or newer, or "
                + "PostgreSQL")
    }

    /// Creates the database file if necessary, and lets only its owner read it.
    ///
    /// If the file belongs to another user, only that user can change its permissions. This process may then use it as a member
    /// of the file's group, if no other user of the machine can read it.
    ///
    /// SQLite gives the write-ahead log and the log's index (`-wal`, `-shm`) the permissions of the database file.
    static func makePrivate(_ path: String) throws {
        let files = ["", "-wal", "-shm"].map { path + $0 }
        if !FileManager.default.fileExists(atPath: path) {
            let descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else {
                throw ServiceError(.storage, "\(path) cannot be created: \(String(cString: strerror(errno)))")
            }
            _ = Foundation.close(descriptor)
        }
        for file in files where FileManager.default.fileExists(atPath: file) {
            guard chmod(file, 0o600) != 0 else { continue }
            let reason = errno
            let attributes = try FileManager.default.attributesOfItem(atPath: file)
            let mode = attributes[.posixPermissions] as? Int ?? 0o777
            let owner = attributes[.ownerAccountID] as? Int ?? -1
            guard reason == EPERM else {
                throw ServiceError(.storage, "\(file) cannot be made private: \(String(cString: strerror(reason)))")
            }
            guard mode & 0o007 == 0 else {
                throw ServiceError(
                    .storage,
                    "\(file) belongs to another user (\(owner)), and every user of this machine can use it: "
                        + "as that user, chmod o-rwx \(file)")
            }
        }
    }

    /// Configures the database so that each commit returns only after its fsync.
    ///
    /// GRDB sets `synchronous = NORMAL` when it opens a pool in WAL mode, even if `prepareDatabase` has set another value. With
    /// `NORMAL`, a power cut could undo acknowledged changes. So this function sets `FULL` after the pool is open, and checks the
    /// setting.
    static func makeDurable(_ writer: some DatabaseWriter) throws {
        let level = try writer.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA synchronous = FULL")
            return try Int.fetchOne(db, sql: "PRAGMA synchronous")
        }
        guard level == 2 else {
            throw ServiceError(.storage, "SQLite refuses synchronous = FULL (it says \(level ?? -1)): check the build")
        }
    }

    /// Returns a busy mode in which a connection that waits for a lock tries again every millisecond.
    ///
    /// SQLite's own mode tries less and less often, finally every 100 ms. If another process commits almost without a pause,
    /// SQLite's mode hardly ever finds the lock free.
    ///
    /// - Parameter seconds: the time after which a call gives up.
    /// - Returns: the busy mode.
    static func patience(_ seconds: Double) -> Database.BusyMode {
        // All connections of a pool share the mode. A connection waits on the thread that uses it, so the thread keeps the time
        // at which its wait began.
        let key = "carillon.sqlite.waits-since"
        return .callback { tries in
            let known = Thread.current.threadDictionary[key] as? ContinuousClock.Instant
            let began = tries == 0 ? .now : known ?? .now
            if began != known { Thread.current.threadDictionary[key] = began }
            guard began.duration(to: .now) < .seconds(seconds) else { return false }
            Thread.sleep(forTimeInterval: 0.001)
            return true
        }
    }

    /// Creates the tables in an empty database, or upgrades tables of an older version.
    ///
    /// Before an upgrade begins, the function copies the database to a file beside it (``copy(of:at:)``). It copies in the
    /// transaction of the first step, so that no older program writes between the copy and the upgrade.
    ///
    /// - Parameters:
    ///   - pool: the open database.
    ///   - schema: the tables that this program needs.
    ///   - telling: receives sentences about an upgrade, for a log.
    /// - Throws: ``ServiceError`` if the tables have a newer version, or are not Carillon's.
    static func bringUpToDate(_ pool: DatabasePool, to schema: Schema, telling: (String) -> Void) throws {
        // Reads the version first, so that a database with current tables opens without waiting for a writer.
        let found = try pool.read(version)
        if found == schema.version { return }
        let steps = SchemaSteps(schema: schema)
        var isCopied = false
        try steps.perform(from: found, telling: telling) { next in
            var filled: Int?
            try pool.writeWithoutTransaction { db in
                try db.inTransaction(.immediate) {
                    let found = try version(db)
                    guard try found != nil || !db.tableExists("apps") else { throw ServiceError.hasOtherTables }
                    let step = try next(found)
                    if case .none = step { return .rollback }
                    if case .change = step, let found, !isCopied {
                        try makeCopy(of: pool.path, at: found, telling: telling)
                        isCopied = true
                    }
                    filled = try steps.perform(step, on: .sqlite) { sql in
                        try db.execute(sql: sql)
                        return db.changesCount
                    }
                    return .commit
                }
            }
            return filled
        }
    }

    private static func makeCopy(of path: String, at version: Int, telling: (String) -> Void) throws {
        let copy = copy(of: path, at: version)
        telling(
            """
            copying the database to \(copy) before its tables are upgraded; delete it once the new version is proven, \
            because users who are erased later stay in it
            """)
        // An older copy stems from an upgrade that failed before its first step.
        try? FileManager.default.removeItem(atPath: copy)
        try SQLiteBackup.make(of: path, to: copy)
    }

    /// Returns the path of the copy that is made of a database before its tables are upgraded.
    ///
    /// - Parameters:
    ///   - path: the database file.
    ///   - version: the version of the database's tables before the upgrade.
    /// - Returns: a path beside the database file.
    static func copy(of path: String, at version: Int) -> String { "\(path).version-\(version)" }

    /// Returns the names of the copies of a database that upgrades have made and nobody has deleted, in their order.
    static func copies(of path: String) -> [String] {
        let file = URL(fileURLWithPath: path)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path)) ?? []
        return names.filter { $0.hasPrefix("\(file.lastPathComponent).version-") }.sorted()
    }

    /// Returns the version of the tables; `nil` for a database without tables.
    private static func version(_ db: Database) throws -> Int? {
        guard try db.tableExists(Schema.versionTable) else { return nil }
        return try Int.fetchOne(db, sql: Schema.versionQuery)
    }
}
