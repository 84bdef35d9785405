import ArgumentParser
import CarillonCore
import CarillonServer
import Foundation

/// `carillon api-keys`: manages the API keys of backends.
struct APIKeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "api-keys",
        abstract: "Creates, lists and revokes the API keys of backends.",
        discussion: """
            A key is printed once, when it is created; only its hash is stored. The service can keep running meanwhile.

            Examples:
              carillon api-keys create --data ./data --name backend
              carillon api-keys create --data ./data --name dashboard --scope read
              carillon api-keys revoke --data ./data 1f3a5c7e9b2d4f60
            """,
        subcommands: [Create.self, List.self, Revoke.self])

    struct DataOption: ParsableArguments {
        @Option(help: ArgumentHelp("The service's data folder, as in 'carillon serve --data'.", valueName: "dir"))
        var data: String

        func keys() throws -> APIKeys {
            APIKeys(store: try ServiceDirectory(path: data).openStore(), clock: SystemClock(), random: .system)
        }
    }

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Creates a key and prints it; it cannot be printed again.")

        @OptionGroup var service: DataOption

        @Option(help: "A name for the key, for example that of the backend.")
        var name: String

        @Option(help: "What the key allows: send, read, admin; can be repeated.")
        var scope: [APIScope] = [.send, .read]

        func run() async throws {
            try StandardOutput.write(try await service.keys().make(name: name, scopes: Set(scope)).key)
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists id, scopes, state and name of each key, but not the keys themselves.")

        @OptionGroup var service: DataOption

        func run() async throws {
            for record in try await service.keys().all() {
                let scopes = record.scopes.map(\.rawValue).sorted().joined(separator: ",")
                let state = record.revoked.map { "revoked \($0)" } ?? "active"
                try StandardOutput.write("\(record.id)  \(scopes)  \(state)  \(record.name)")
            }
        }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Revokes a key immediately.")

        @OptionGroup var service: DataOption

        @Argument(help: "The key's id, as printed by 'carillon api-keys list'.")
        var id: String

        func run() async throws {
            guard try await service.keys().revoke(id) else {
                throw ValidationError("no key has the id \(id): see 'carillon api-keys list'")
            }
        }
    }
}

extension APIScope: ExpressibleByArgument {}
