import ArgumentParser
import CarillonCore
import CarillonServer
import CommandSupport
import Foundation
import ServiceSupport

/// `carillon sign-in-keys`: manages the keys with which an app's backend signs sign-in tokens.
struct SignInKeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign-in-keys",
        abstract: "Creates, lists and revokes the keys with which an app's backend signs sign-in tokens.",
        discussion: """
            A token names its key in 'kid'; one without is signed with the secret in DIR/sign-in.secret. An app has at \
            most two keys at once: create the second, let the backend use it, revoke the first. The service can keep \
            running meanwhile.

            Examples:
              carillon sign-in-keys create --data ./data --topic com.example.chime
              carillon sign-in-keys create --data ./data --topic com.example.chime --public-key backend.pem
              carillon sign-in-keys revoke --data ./data --topic com.example.chime 1f3a5c7e9b2d4f60
            """,
        subcommands: [Create.self, List.self, Revoke.self])

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Creates a key and prints it as JSON: alg, kid and, for HS256, the secret in hexadecimal.")

        @OptionGroup var service: DataOption
        @OptionGroup var app: AppOption

        @Option(
            help: ArgumentHelp(
                "For ES256: the public key in PEM, of a pair whose private key stays with the backend.",
                valueName: "file"))
        var publicKey: String?

        func run() async throws {
            let store = try await service.existingStore()
            let app = try await app.find(in: store)
            let keys = SignInKeys(in: store.keys, clock: SystemClock(), random: .system, by: .person)
            var answer: [String: JSONValue]
            do {
                if let publicKey {
                    let pem = try CommandFile.text(at: publicKey, option: "--public-key")
                    answer = ["alg": "ES256", "kid": .string(try await keys.add(publicKey: pem, for: app).id)]
                } else {
                    let key = try await keys.makeSecret(for: app)
                    answer = ["alg": "HS256", "kid": .string(key.id), "secret": .string(key.key.hexadecimal)]
                }
            } catch let refusal as SignInKeys.Refusal {
                throw ValidationError(refusal.description)
            }
            try StandardOutput.write(String(decoding: JSONValue.object(answer).encoded(), as: UTF8.self))
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists kid, algorithm and state of each key, but not the secrets.")

        @OptionGroup var service: DataOption
        @OptionGroup var app: AppOption

        func run() async throws {
            let store = try await service.existingStore()
            let keys = SignInKeys(in: store.keys, clock: SystemClock(), random: .system, by: .person)
            for key in try await keys.all(of: try await app.find(in: store)) {
                let state = key.revoked.map { "revoked \($0)" } ?? "active"
                try StandardOutput.write("\(key.id)  \(key.algorithm.rawValue)  \(state)  created \(key.created)")
            }
        }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Revokes a key immediately.")

        @OptionGroup var service: DataOption
        @OptionGroup var app: AppOption

        @Argument(help: "The key's id (kid), as printed by 'carillon sign-in-keys list'.")
        var id: String

        func run() async throws {
            let store = try await service.existingStore()
            let app = try await app.find(in: store)
            let keys = SignInKeys(in: store.keys, clock: SystemClock(), random: .system, by: .person)
            guard try await keys.revoke(id, of: app) else {
                throw ValidationError("\(app.topic) has no sign-in key \(id): see 'carillon sign-in-keys list'")
            }
        }
    }
}
