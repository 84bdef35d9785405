import CarillonCore
import Foundation

/// The location of a service's database, for commands that process the whole database, such as a copy.
package enum DatabasePlace: Sendable, Hashable {
    /// A SQLite file.
    ///
    /// If the file is the target of a copy, it need not exist yet.
    case sqlite(path: String)
    /// A PostgreSQL database at any address that libpq accepts.
    case postgreSQL(url: String)

    /// Copies all tables to another database, or continues an interrupted copy.
    ///
    /// The copy does not change the source. While it runs, other processes cannot write to the source.
    ///
    /// - Parameters:
    ///   - target: a database of the other engine. It must be empty, not exist, or be an unfinished copy.
    ///   - report: a closure that receives the progress after each step.
    /// - Returns: the number of rows and the checksum of each table, which are equal in source and target.
    /// - Throws: ``ServiceError`` whose description says what to do; GRDB's `DatabaseError` for other errors of SQLite.
    package func copy(
        to target: DatabasePlace, report: @escaping @Sendable (CopyProgress) -> Void
    ) async throws -> [TableSum] {
        // The copy blocks its thread, so it gets a thread of its own.
        try await withCheckedThrowingContinuation { continuation in
            let thread = Thread {
                continuation.resume(
                    with: Result { try copyWaiting(to: target, report: report) }.mapError { error in
                        (error as? PostgreSQLError).map(PostgreSQLServer.explained)
                            ?? (error as? any EngineError)?.explanation ?? error
                    })
            }
            thread.name = "carillon.copy"
            thread.stackSize = 4 << 20
            thread.start()
        }
    }

    private func copyWaiting(
        to target: DatabasePlace, report: @escaping @Sendable (CopyProgress) -> Void
    ) throws -> [TableSum] {
        switch (self, target) {
        case (.sqlite(let path), .postgreSQL(let url)):
            guard FileManager.default.fileExists(atPath: path) else {
                throw ServiceError(.configuration, "there is no database in \(path)")
            }
            let (file, server) = (try SQLiteEngine(path: path), try Self.connected(url))
            defer { try? file.close() }
            try server.migrate(forCopy: true)
            return try file.holding { side in
                try side.requireNoSender(beside: path)
                let tables = try CopiedTable.all(in: side.connection)
                return try DatabaseCopy(
                    source: side.connection, target: PostgreSQLCopySide(server), tables: tables,
                    lastNumbers: try side.lastNumbers(tables), report: report
                ).run()
            }
        case (.postgreSQL(let url), .sqlite(let path)):
            let server = try Self.connected(url)
            try server.migrate()
            let file = try SQLiteEngine(path: path, forCopy: true)
            defer { try? file.close() }
            return try file.writing { side in try Self.copied(from: server, to: side, report) }
        default:
            throw ServiceError(
                .configuration,
                "a copy goes from SQLite to PostgreSQL or back; within one engine, use its own backups")
        }
    }

    private static func copied(
        from server: PostgreSQLConnection, to target: SQLiteCopySide, _ report: @escaping (CopyProgress) -> Void
    ) throws -> [TableSum] {
        let source = PostgreSQLCopySide(server)
        let tables = try CopiedTable.all(in: target.connection)
        var sums: [TableSum] = []
        try source.holding {
            sums = try DatabaseCopy(
                source: server, target: target, tables: tables, lastNumbers: try source.lastNumbers(tables),
                report: report
            ).run()
        }
        return sums
    }

    private static func connected(_ url: String) throws -> PostgreSQLConnection {
        try PostgreSQLServer.check(url)
        let connection = PostgreSQLConnection(url: url, patience: .seconds(StoreLimits.databaseBusySeconds))
        do {
            try PostgreSQLServer.check(try connection.opened(within: .zero))
        } catch let error as PostgreSQLError {
            throw PostgreSQLServer.refusal(error.description) ?? error
        }
        return connection
    }
}
