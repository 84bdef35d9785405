import ArgumentParser
import CarillonCore
import CarillonServer
import CommandSupport
import Foundation
import Logging
import ServiceSupport

/// The options that select a service's database: a folder or PostgreSQL.
///
/// All commands that use the database have these options.
struct DataOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The folder of the database and the secrets, as in 'carillon serve --data'.", valueName: "dir"))
    var data: String?

    @Option(
        help: ArgumentHelp(
            "PostgreSQL in its place: postgres://user@host/database. (default: the environment variable CARILLON_DATABASE)",
            valueName: "url"))
    var database: String?

    @Option(
        help: ArgumentHelp(
            "A file with that address, where it has a password: others see a command's options.", valueName: "file"))
    var databaseFile: String?

    func validate() throws {
        let named = [data, database, databaseFile].compactMap(\.self)
        guard named.count <= 1 else {
            throw ValidationError("--data, --database and --database-file: say one of them")
        }
        guard !named.isEmpty || Self.environment != nil else {
            throw ValidationError("say where the database is: --data DIR, or --database postgres://…")
        }
    }

    private static var environment: String? {
        ProcessInfo.processInfo.environment["CARILLON_DATABASE"].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Returns the connection string of the PostgreSQL database; `nil` if the database is in a folder.
    ///
    /// - Throws: an error whose description names the file of `--database-file`, if it cannot be read.
    func address() throws -> String? {
        guard data == nil else { return nil }
        if let database { return database }
        guard let databaseFile else { return Self.environment }
        let text = try CommandFile.text(at: databaseFile, option: "--database-file")
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Returns the folder with the database, and creates it if it is missing; returns `nil` if the database is PostgreSQL.
    func directory() throws -> ServiceDirectory? { try data.map { try ServiceDirectory(path: $0) } }

    /// Opens the database, and creates it if it is missing.
    ///
    /// - Parameter telling: receives sentences about an upgrade of the tables. The default does nothing.
    /// - Returns: the store.
    /// - Throws: an error whose description gives the reason, if the database cannot be opened.
    func openStore(telling: @escaping @Sendable (String) -> Void = { _ in }) async throws -> Store {
        guard let address = try address() else { return try folder().openStore(telling: telling) }
        return try await Self.postgreSQL(at: address, listens: false, telling: telling) { _ in false }
    }

    /// Opens the database for a service.
    ///
    /// The function waits while the PostgreSQL server is unreachable, another process writes to the SQLite file, or the disk is
    /// full.
    ///
    /// - Parameters:
    ///   - listens: whether the service listens for commits of other processes (PostgreSQL only).
    ///   - wait: the wait that logs its reason.
    ///   - logger: the logger for an upgrade of the tables.
    /// - Returns: the store.
    /// - Throws: an error whose description gives the reason, if waiting would not help, for example after a wrong password.
    func openStore(listens: Bool, _ wait: DatabaseWait, logger: Logger) async throws -> Store {
        guard let address = try address() else { return try folder().openStore(wait, logger: logger) }
        return try await Self.postgreSQL(
            at: address, listens: listens, telling: { logger.notice("\($0)") }
        ) { reason in
            wait.tell(reason)
            return true
        }
    }

    /// Opens the database of a service that has run before.
    ///
    /// The function does not create a missing folder or a missing SQLite database.
    func existingStore() async throws -> Store {
        guard let data else { return try await openStore() }
        return try ServiceDirectory(path: data, creating: false).openExistingStore()
    }

    private func folder() throws -> ServiceDirectory {
        guard let folder = try directory() else { throw ValidationError("--data is missing") }
        return folder
    }

    private static func postgreSQL(
        at address: String, listens: Bool, telling: @escaping @Sendable (String) -> Void,
        waiting: @escaping @Sendable (String) -> Bool
    ) async throws -> Store {
        do {
            return Store(
                try await PostgreSQLEngine.opened(url: address, listens: listens, telling: telling, waiting: waiting))
        } catch {
            // The message omits the address, because it may contain a password.
            throw ValidationError("--database: the database cannot be opened (\(error))")
        }
    }
}
