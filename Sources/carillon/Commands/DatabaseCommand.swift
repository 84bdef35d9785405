import ArgumentParser
import CarillonCore
import CarillonServer
import CommandSupport
import Foundation

/// `carillon db`: maintains a service's database.
struct DatabaseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "db",
        abstract: "Looks after a service's database.",
        discussion: """
            Examples:
              carillon db check --data ./data
              carillon db check --data ./data --retry
              carillon db backup --data ./data --to backups/monday.sqlite
              carillon db copy --from ./data --to postgres://carillon@localhost/carillon
              carillon db migrate --database postgres://carillon@localhost/carillon
            """,
        subcommands: [Backup.self, Check.self, Copy.self, Migrate.self])

    struct Migrate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes the tables, or brings them up to date.",
            discussion: """
                'carillon serve' does so too, unless its role at PostgreSQL may not: then run this as the schema's owner first.

                An upgrade goes in steps, and tells how far it is. One that was interrupted, by Ctrl-C too, goes on when this is \
                run again. Until its end no other process can write. With --data, the database is first copied to a file beside \
                it; with PostgreSQL, make a dump before.
                """)

        @OptionGroup var service: DataOption

        func run() async throws {
            _ = try await service.openStore {
                try? FileHandle.standardError.write(contentsOf: Data("\($0)\n".utf8))
            }
            try StandardOutput.write("the tables are up to date")
        }
    }

    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Says whether the database is sound, and which deliveries cannot be read.",
            discussion: """
                It reads the whole database, beside a service that runs: the engine and its settings, the tables' version, how \
                many rows each has, whether SQLite finds the file intact, and whether counts are what the rows say.

                A delivery that cannot be read is not sent, and does not stop the rest; /healthz says 'degraded' and counts \
                it. Such a row means a damaged disk or a change made by hand.

                The exit code is 0 for a sound database, 1 while deliveries are set aside, 2 if the database is damaged.

                Examples:
                  carillon db check --data ./data
                  carillon db check --data ./data --retry
                """)

        @OptionGroup var service: DataOption

        @Flag(help: "Queue them again, after their cause was mended.")
        var retry = false

        func run() async throws {
            let store = try await service.existingStore()
            if retry {
                let count = try await store.upkeep.retrySetAside(at: SystemClock().now)
                try StandardOutput.write("queued again: \(count)")
                return
            }
            try await inspect(store)
            let count = try await store.upkeep.health().setAside
            for delivery in try await store.upkeep.setAside(limit: CommandLimits.setAsideShown) {
                let message = delivery.message.map { "message \($0)" } ?? "a push of the service's own"
                try StandardOutput.write(
                    "delivery \(delivery.number): \(message) to installation \(delivery.device): \(delivery.problem)")
            }
            guard count > 0 else { return try StandardOutput.write("every delivery can be read") }
            try StandardOutput.write(
                """
                set aside: \(count). Look at the disk first, and restore a backup if it is damaged. If the message can be sent \
                again, recall it and send it under another id; if the cause is mended, 'carillon db check --retry' queues \
                them again.
                """)
            throw ExitCode(1)
        }

        private func inspect(_ store: Store) async throws {
            let inspection = try await store.upkeep.inspection()
            for fact in inspection.facts { try StandardOutput.write("\(fact.name): \(fact.value)") }
            for table in inspection.rows { try StandardOutput.write("\(table.table): \(table.count) rows") }
            for problem in inspection.problems { try StandardOutput.write("problem: \(problem)") }
            guard inspection.problems.isEmpty else {
                try StandardOutput.write(
                    "the database is damaged or not safe: look at the disk and the settings, and restore a backup")
                throw ExitCode(2)
            }
        }
    }
}
