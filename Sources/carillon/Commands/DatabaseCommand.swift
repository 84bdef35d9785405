import ArgumentParser
import CarillonCore
import CarillonServer
import Foundation

/// `carillon db`: looks after a service's database.
struct DatabaseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "db",
        abstract: "Looks after a service's database.",
        discussion: """
            Examples:
              carillon db check --data ./data
              carillon db check --data ./data --retry
              carillon db migrate --database postgres://carillon@localhost/carillon
            """,
        subcommands: [Check.self, Migrate.self])

    struct Migrate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes the tables, or brings them up to date.",
            discussion: """
                'carillon serve' does so too, unless its role at PostgreSQL may not: then run this as the schema's owner first.
                """)

        @OptionGroup var service: DataOption

        func run() async throws {
            _ = try await service.openStore()
            try StandardOutput.write("the tables are up to date")
        }
    }

    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists deliveries that were set aside because they cannot be read, and says what to do.",
            discussion: """
                What cannot be read is not sent, and does not stop the rest; /healthz says 'degraded' and counts it. Such a \
                row means a damaged disk or a change made by hand. The exit code is 1 while there is one.
                """)

        @OptionGroup var service: DataOption

        @Flag(help: "Queue them again, after their cause was mended.")
        var retry = false

        func run() async throws {
            let store = try await service.existingStore()
            if retry {
                let count = try await store.retrySetAside(at: SystemClock().now)
                try StandardOutput.write("queued again: \(count)")
                return
            }
            let count = try await store.health().setAside
            for delivery in try await store.setAside(limit: CommandLimits.setAsideShown) {
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
    }
}
