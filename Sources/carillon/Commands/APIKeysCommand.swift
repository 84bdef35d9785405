import ArgumentParser
import CarillonCore
import CarillonServer
import CommandSupport
import Foundation
import ServiceSupport

/// `carillon api-keys`: manages the API keys of backends.
struct APIKeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "api-keys",
        abstract: "Creates, lists, replaces and revokes the API keys of backends.",
        discussion: """
            A key is printed once, when it is created; only its hash is stored. The service can keep running meanwhile. A \
            key is for one app, or for several that are named; one that is made before there is any app is for the first.

            Examples:
              carillon api-keys create --data ./data --name backend
              carillon api-keys create --data ./data --name dashboard --scope read
              carillon api-keys create --data ./data --name support --topic com.example.chime --scope users
              carillon api-keys create --data ./data --name contractor --expires-in 30
              carillon api-keys rotate --data ./data 1f3a5c7e9b2d4f60 --overlap 48
              carillon api-keys revoke --data ./data 1f3a5c7e9b2d4f60
            """,
        subcommands: [Create.self, List.self, Rotate.self, Revoke.self])

    /// The option for the life of a new key.
    struct LifeOption: ParsableArguments {
        @Option(help: ArgumentHelp("Days after which the key expires; 1 to 3650. (default: never)", valueName: "days"))
        var expiresIn: Int?

        var life: Duration? { expiresIn.map { .seconds($0 * 86_400) } }

        func validate() throws {
            guard expiresIn.map((1...3650).contains) ?? true else {
                throw ValidationError("--expires-in must be between 1 and 3650 days")
            }
        }
    }

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

        @OptionGroup var life: LifeOption

        func validate() throws {
            let isPlain = name.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
            guard (1...CommandLimits.keyNameCharacters).contains(name.count), isPlain else {
                throw ValidationError(
                    "--name must have 1 to \(CommandLimits.keyNameCharacters) characters in one line, without control characters"
                )
            }
        }

        func run() async throws {
            let store = try await topic.isEmpty ? service.openStore() : service.existingStore()
            let keys = APIKeys(in: store.keys, clock: SystemClock(), random: .system, by: .person)
            let made = try await keys.make(
                name: name, scopes: Set(scope), apps: try await apps(in: store), life: life.life)
            try StandardOutput.write(made.key)
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
            abstract: "Lists id, scopes, state, last use, apps and name of each key, but not the keys themselves.",
            discussion: "A last use is stored within a minute.")

        @OptionGroup var service: DataOption

        func run() async throws {
            for record in try await service.existingStore().keys.apiKeys() {
                let scopes = record.scopes.map(\.rawValue).sorted().joined(separator: ",")
                let use = record.lastUsed.map { "last used \($0)" } ?? "never used"
                let none = record.revoked == nil ? "no app yet" : "no app"
                let apps = record.apps.isEmpty ? none : record.apps.map(\.topic).joined(separator: ",")
                let state = Self.state(record, at: SystemClock().now)
                try StandardOutput.write("\(record.id)  \(scopes)  \(state)  \(use)  \(apps)  \(record.name)")
            }
        }

        private static func state(_ key: APIKeyRecord, at now: Timestamp) -> String {
            if let revoked = key.revoked { return "revoked \(revoked)" }
            guard let end = key.expires else { return "active" }
            return end <= now ? "expired \(end)" : "active until \(end)"
        }
    }

    struct Rotate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Creates a key like another one and prints it; the other one expires after a while.",
            discussion: """
                The new key has the name, scopes and apps of the other one. Give it to the backend while both work; \
                'carillon api-keys list' shows when the other one was last used.
                """)

        @OptionGroup var service: DataOption

        @Argument(help: "The other key's id, as printed by 'carillon api-keys list'.")
        var id: String

        @Option(help: ArgumentHelp("Hours for which the other key stays valid; 0 to 8760.", valueName: "hours"))
        var overlap = 24

        @OptionGroup var life: LifeOption

        func validate() throws {
            guard (0...8760).contains(overlap) else {
                throw ValidationError("--overlap must be between 0 and 8760 hours")
            }
        }

        func run() async throws {
            let store = try await service.existingStore()
            let keys = APIKeys(in: store.keys, clock: SystemClock(), random: .system, by: .person)
            guard let made = try await keys.rotate(id, overlap: .seconds(overlap * 3600), life: life.life) else {
                throw ValidationError("no key has the id \(id), or it was revoked: see 'carillon api-keys list'")
            }
            try StandardOutput.write(made.key)
        }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Revokes a key immediately.")

        @OptionGroup var service: DataOption

        @Argument(help: "The key's id, as printed by 'carillon api-keys list'.")
        var id: String

        func run() async throws {
            let store = try await service.existingStore()
            let keys = APIKeys(in: store.keys, clock: SystemClock(), random: .system, by: .person)
            guard try await keys.revoke(id) else {
                throw ValidationError("no key has the id \(id): see 'carillon api-keys list'")
            }
        }
    }
}

extension APIScope: ExpressibleByArgument {}
