import ArgumentParser
import CarillonCore
import CarillonServer
import CommandSupport
import Foundation

/// `carillon api-keys`: manages the API keys of backends.
struct APIKeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "api-keys",
        abstract: "Creates, lists and revokes the API keys of backends.",
        discussion: """
            A key is printed once, when it is created; only its hash is stored. The service can keep running meanwhile. A \
            key is for one app, or for several that are named; one that is made before there is any app is for the first.

            Examples:
              carillon api-keys create --data ./data --name backend
              carillon api-keys create --data ./data --name dashboard --scope read
              carillon api-keys create --data ./data --name support --topic com.example.chime --scope users
              carillon api-keys revoke --data ./data 1f3a5c7e9b2d4f60
            """,
        subcommands: [Create.self, List.self, Revoke.self])

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Creates a key and prints it; it cannot be printed again.")

        @OptionGroup var service: DataOption

        @Option(help: "A name for the key, for example that of the backend.")
        var name: String

        @Option(help: "What the key allows: send, read, users, admin; can be repeated.")
        var scope: [APIScope] = [.send, .read]

        @Option(
            help: ArgumentHelp(
                "The app for which the key is; can be repeated. (default: the only app)", valueName: "bundle id"))
        var topic: [String] = []

        func run() async throws {
            let store = try await topic.isEmpty ? service.openStore() : service.existingStore()
            let keys = APIKeys(in: store.keys, clock: SystemClock(), random: .system)
            let apps = try await apps(in: store)
            try StandardOutput.write(try await keys.make(name: name, scopes: Set(scope), apps: apps).key)
        }

        private func apps(in store: Store) async throws -> [AppReference] {
            let apps = try await store.apps.all()
            guard topic.isEmpty else { return try Set(topic).sorted().map { try AppOption.app($0, among: apps) } }
            guard apps.count < 2 else {
                let names = apps.map(\.topic).joined(separator: ", ")
                throw ValidationError("--topic is missing: name the app or apps for which the key is: \(names)")
            }
            return apps.map(\.reference)
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists id, scopes, state, apps and name of each key, but not the keys themselves.")

        @OptionGroup var service: DataOption

        func run() async throws {
            for record in try await service.existingStore().keys.apiKeys() {
                let scopes = record.scopes.map(\.rawValue).sorted().joined(separator: ",")
                let state = record.revoked.map { "revoked \($0)" } ?? "active"
                let apps = record.apps.isEmpty ? "no app yet" : record.apps.map(\.topic).joined(separator: ",")
                try StandardOutput.write("\(record.id)  \(scopes)  \(state)  \(apps)  \(record.name)")
            }
        }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Revokes a key immediately.")

        @OptionGroup var service: DataOption

        @Argument(help: "The key's id, as printed by 'carillon api-keys list'.")
        var id: String

        func run() async throws {
            let keys = APIKeys(in: try await service.existingStore().keys, clock: SystemClock(), random: .system)
            guard try await keys.revoke(id) else {
                throw ValidationError("no key has the id \(id): see 'carillon api-keys list'")
            }
        }
    }
}

extension APIScope: ExpressibleByArgument {}
