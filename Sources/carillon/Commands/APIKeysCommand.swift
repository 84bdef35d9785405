import ArgumentParser
import CarillonCore
import CarillonServer
import Foundation

/// `carillon api-keys`: the keys with which backends call the service.
struct APIKeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "api-keys",
        abstract: "Makes, lists and revokes the keys with which backends call the service.",
        discussion: """
            A key is shown once, when it is made; only its hash is kept. The service need not be stopped for it.

            Examples:
              carillon api-keys create --data ./data --name backend
              carillon api-keys create --data ./data --name dashboard --scope read
              carillon api-keys revoke --data ./data 1f3a5c7e9b2d4f60
            """,
        subcommands: [Create.self, List.self, Revoke.self])

    struct DataOption: ParsableArguments {
        @Option(help: ArgumentHelp("The service's folder, as in carillon serve --data.", valueName: "dir"))
        var data: String

        func keys() throws -> APIKeys {
            APIKeys(store: try ServiceDirectory(path: data).openStore(), clock: SystemClock(), random: .system)
        }
    }

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Makes a key and prints it, this once.")

        @OptionGroup var service: DataOption

        @Option(help: "Whose key it is, for people.")
        var name: String

        @Option(help: "What it may do: send, read, admin; may be given several times.")
        var scope: [APIScope] = [.send, .read]

        func run() async throws {
            try StandardOutput.write(try await service.keys().make(name: name, scopes: Set(scope)).key)
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists the keys by id; the keys themselves are not known.")

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
        static let configuration = CommandConfiguration(abstract: "Revokes a key, at once.")

        @OptionGroup var service: DataOption

        @Argument(help: "The key's id, as carillon api-keys list prints it.")
        var id: String

        func run() async throws {
            guard try await service.keys().revoke(id) else {
                throw ValidationError("there is no key with the id \(id): see carillon api-keys list")
            }
        }
    }
}

extension APIScope: ExpressibleByArgument {}
