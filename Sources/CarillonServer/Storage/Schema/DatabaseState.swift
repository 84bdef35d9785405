import Foundation
import GRDB

/// The state of a database's tables before the service starts, determined without changing anything.
package enum DatabaseState: Sendable, Hashable {
    /// The database is missing or has no tables; starting the service creates them.
    case empty
    /// The tables have the version that this program needs.
    case current
    /// The tables have an older version, or an upgrade was interrupted; starting the service upgrades them.
    case older

    /// Determines the state from the version that the database stores.
    ///
    /// - Parameters:
    ///   - found: the stored version; negative, such as -7, while an upgrade to version 7 is unfinished; `nil` if no version is
    ///     stored.
    ///   - hasOtherTables: whether a table `apps` exists although no version is stored.
    /// - Throws: ``ServiceError`` if the tables are of a newer version or are another program's.
    init(found: Int?, hasOtherTables: Bool) throws {
        guard found != nil || !hasOtherTables else { throw ServiceError.hasOtherTables }
        self =
            switch try SchemaSteps(schema: .current).step(from: found) {
            case .create: .empty
            case .none: .current
            case .change, .fill: .older
            }
    }

    /// Reads the state of a SQLite database.
    ///
    /// - Parameter path: the database file, which may be missing.
    /// - Returns: the state.
    /// - Throws: ``ServiceError`` for tables that this program cannot use; GRDB's `DatabaseError` if the file cannot be read or
    ///   is not a database.
    package static func ofSQLite(at path: String) throws -> DatabaseState {
        guard FileManager.default.fileExists(atPath: path) else { return .empty }
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = SQLiteFile.patience(StoreLimits.databaseBusySeconds)
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? queue.close() }
        return try queue.read { db in
            let found =
                try db.tableExists(Schema.versionTable) ? Int.fetchOne(db, sql: Schema.versionQuery) : nil
            return try DatabaseState(found: found, hasOtherTables: db.tableExists("apps"))
        }
    }

    /// Reads the state of a PostgreSQL database; the calling thread waits meanwhile.
    ///
    /// - Parameter url: any address that libpq accepts.
    /// - Returns: the state.
    /// - Throws: ``ServiceError`` for a server or tables that this program cannot use, and for a server that does not answer.
    package static func ofPostgreSQL(at url: String) throws -> DatabaseState {
        try PostgreSQLServer.check(url)
        let connection = PostgreSQLConnection(url: url, patience: .seconds(StoreLimits.databaseBusySeconds))
        do {
            try PostgreSQLServer.check(try connection.opened(within: .zero))
            return try connection.reading {
                let found =
                    try connection.hasTable(Schema.versionTable)
                    ? connection.row(Schema.versionQuery, [])?["version"] as Int? : nil
                return try DatabaseState(found: found, hasOtherTables: connection.hasTable("apps"))
            }
        } catch let error as PostgreSQLError {
            throw error.explanation ?? PostgreSQLServer.explained(error)
        }
    }
}
