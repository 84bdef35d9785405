import ArgumentParser
import CarillonCore
import CarillonServer
import CommandSupport
import Foundation
import ServiceSupport

extension DatabaseCommand {
    /// `carillon db copy`: copies a database from SQLite to PostgreSQL, or back.
    struct Copy: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Copies everything from SQLite to PostgreSQL, or back.",
            discussion: """
                Stop the service first: while it is copied nothing can be written to the source, and what comes to it later is \
                not in the target. The source stays as it is. The target must be empty, or what an interrupted run of the same \
                copy has left: then it goes on there. Until the end no service starts on it. At the end both sides are read \
                and compared, and what each table holds is printed.

                Examples:
                  carillon db copy --from ./data --to postgres://carillon@db.example.com/carillon?sslmode=verify-full
                  carillon db copy --from postgres://carillon@localhost/carillon --to ./data
                """)

        @Option(
            help: ArgumentHelp("The folder or the PostgreSQL that is copied.", valueName: "dir or url"))
        var from: String

        @Option(help: ArgumentHelp("Where to.", valueName: "dir or url"))
        var to: String

        func run() async throws {
            let source = try Self.place(from, creating: false)
            let target = try Self.place(to, creating: true)
            let progress = CopyProgressLine()
            do {
                let sums = try await source.copy(to: target) {
                    progress.show($0.table, $0.rows, of: $0.total)
                }
                progress.clear()
                for sum in sums {
                    try StandardOutput.write("\(sum.table): \(sum.rows) rows, checksum \(sum.checksum.prefix(16))")
                }
                try StandardOutput.write("both sides hold the same: \(sums.map(\.rows).reduce(0, +)) rows")
                if case .sqlite(let path) = source { try tellSecret(beside: path) }
            } catch {
                progress.clear()
                // The message omits the address, because it may contain a password.
                throw ValidationError("the copy has not ended: \(error)")
            }
        }

        /// Prints that the folder's sign-in secret must move with the database, if the folder has one.
        private func tellSecret(beside path: String) throws {
            let secret = URL(fileURLWithPath: path).deletingLastPathComponent().appendingPathComponent("sign-in.secret")
            guard FileManager.default.fileExists(atPath: secret.path) else { return }
            try StandardOutput.write("the secret of sign-in tokens goes with it: --sign-in-secret \(secret.path)")
        }

        private static func place(_ text: String, creating: Bool) throws -> DatabasePlace {
            let isAddress =
                ["postgres://", "postgresql://"].contains(where: text.hasPrefix) || text.contains("dbname=")
            guard !isAddress else { return .postgreSQL(url: text) }
            return .sqlite(path: try ServiceDirectory(path: text, creating: creating).databasePath)
        }
    }

    /// `carillon db backup`: copies a SQLite database while the service runs.
    struct Backup: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Copies a SQLite database to a file, while the service runs.",
            discussion: """
                The file is the database as it was at one moment, whole and checked, or not there at all. To go back, stop the \
                service and put the file in the place of carillon.sqlite, without the files beside it (-wal, -shm). Keep \
                sign-in.secret and Apple's keys with it: they are not in the database.

                PostgreSQL has backups of its own: pg_dump, or its archive of the log.

                Example:
                  carillon db backup --data ./data --to backups/2026-11-23.sqlite
                """)

        @OptionGroup var service: DataOption

        @Option(help: ArgumentHelp("The file to make; it must not exist.", valueName: "file"))
        var to: String

        func run() async throws {
            guard let data = service.data else {
                throw ValidationError(
                    "this is for --data: PostgreSQL has backups of its own, pg_dump or its archive of the log")
            }
            let path = try ServiceDirectory(path: data, creating: false).databasePath
            let progress = CopyProgressLine()
            do {
                try SQLiteBackup.make(of: path, to: to) { done, total in
                    progress.show("pages", done, of: total)
                }
                progress.clear()
            } catch {
                progress.clear()
                throw ValidationError("there is no backup: \(error)")
            }
            let bytes = (try? FileManager.default.attributesOfItem(atPath: to))?[.size] as? Int ?? 0
            try StandardOutput.write("\(to): \(bytes) bytes, checked")
        }
    }
}
