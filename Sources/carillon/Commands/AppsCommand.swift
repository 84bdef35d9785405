import ArgumentParser
import CarillonCore
import CarillonServer
import CommandSupport
import Foundation
import ServiceSupport

/// `carillon apps`: manages the apps of a service.
struct AppsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apps",
        abstract:
            "Adds, tests, lists and removes the apps of a service, each with its own credential, keys, users and messages.",
        discussion: """
            'carillon serve --topic' adds an app too. The credential stays in its file; the database has only the path. \
            The service can keep running meanwhile: it finds a new app's credential within seconds.

            Examples:
              carillon apps add --data ./data --topic com.example.chime --key AuthKey_ABC123DEFG.p8 --team-id TEAM123456
              carillon apps add --data ./data --topic com.example.ferry --certificate ferry.p12 --environment production
              carillon apps add --data ./data --topic com.example.ferry --require-sign-in
              carillon apps add --data ./data --topic com.example.ferry --sends-per-second 500
              carillon apps rotate --data ./data --topic com.example.chime --key AuthKey_NEW123DEFG.p8 --team-id TEAM123456
              carillon apps test --data ./data
              carillon apps list --data ./data
              carillon apps remove --data ./data --topic com.example.ferry --dry-run
            """,
        subcommands: [Add.self, Rotate.self, AppsTestCommand.self, List.self, AppsRemoveCommand.self])

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Adds an app, or changes what is named of one; prints it as 'apps list' does.")

        @OptionGroup var service: DataOption

        @Option(help: ArgumentHelp("The app's bundle id.", valueName: "bundle id"))
        var topic: String

        @OptionGroup(title: "Credential") var credential: CredentialOptions

        @Option(help: "The environment of APNs for which the credential is; can be repeated. (default: both)")
        var environment: [APNsEnvironment] = []

        @Flag(
            inversion: .prefixedNo,
            help: "Whether an installation must come with a sign-in token. (default for a new app: no)")
        var requireSignIn: Bool?

        @Option(help: ArgumentHelp("Pushes of the app that go out in a second; 0 for no limit.", valueName: "n"))
        var sendsPerSecond: Int?

        func validate() throws {
            try AppOption.check(topic)
            if let rate = sendsPerSecond, !(0...CommandLimits.sendsPerSecond).contains(rate) {
                throw ValidationError("--sends-per-second must be between 0 and \(CommandLimits.sendsPerSecond)")
            }
            let key = credential.key
            guard key.place != nil || (key.keyID == nil && key.teamID == nil) else {
                throw ValidationError("--key-id and --team-id need --key: the path of the AuthKey_….p8 file")
            }
            guard credential.certificatePassword == nil else {
                throw ValidationError(
                    "--certificate-password would not be kept; give it to 'carillon serve' as CARILLON_CERTIFICATE_PASSWORD"
                )
            }
        }

        func run() async throws {
            var credentials: [APNsEnvironment: CredentialReference] = [:]
            if let reference = try reference() {
                for environment in environment.isEmpty ? APNsEnvironment.allCases : environment {
                    credentials[environment] = reference
                }
            } else if !environment.isEmpty {
                throw ValidationError("--environment needs --key or --certificate")
            }
            let store = try await service.openStore()
            let app = try await store.apps.put(
                AppSettings(
                    topic: topic, requiresSignIn: requireSignIn, sendsPerSecond: sendsPerSecond,
                    credentials: credentials),
                by: .person, at: SystemClock().now)
            try StandardOutput.write(app.line)
        }

        private func reference() throws -> CredentialReference? {
            let key = credential.key
            // CARILLON_KEY alone is no request to change the app's credential.
            let hasKey = key.key != nil || key.keyID != nil || key.teamID != nil
            guard credential.certificate != nil || hasKey else { return nil }
            return try credential.reference()
        }
    }

    struct Rotate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Gives an app a new credential, which the service tries within seconds.",
            discussion: """
                The old credential is used until APNs takes the new one; the log says so. Revoke the old one only then. \
                A file that is replaced in its place needs no command: the service looks at it every few seconds.
                """)

        @OptionGroup var service: DataOption

        @OptionGroup var app: AppOption

        @OptionGroup(title: "Credential") var credential: CredentialOptions

        func validate() throws {
            guard credential.certificate != nil || credential.key.key != nil else {
                throw ValidationError("--key or --certificate is missing: the new credential")
            }
        }

        private static let note = """
            The service tries it within seconds, and uses the old credential until APNs has taken it. Revoke the old one only \
            when the log says that the new one is used.
            """

        func run() async throws {
            let reference = try credential.reference()
            let store = try await service.existingStore()
            let app = try await app.find(in: store)
            let known = try await store.apps.app(app.topic)?.credentials.keys.map { $0 } ?? []
            let environments = known.isEmpty ? APNsEnvironment.allCases : known
            let credentials = Dictionary(uniqueKeysWithValues: environments.map { ($0, reference) })
            let changed = try await store.apps.change(
                app, AppSettings(topic: app.topic, credentials: credentials), by: .person, at: SystemClock().now)
            guard let changed else { throw ValidationError("--topic \(app.topic): the app was removed") }
            try StandardOutput.write(changed.line)
            try StandardOutput.write(Self.note, to: .standardError)
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists each app with its credentials, and whether it requires a sign-in.",
            discussion: "Removed apps whose data the service is still deleting stand on standard error.")

        @OptionGroup var service: DataOption

        func run() async throws {
            let store = try await service.existingStore()
            for app in try await store.apps.all() { try StandardOutput.write(app.line) }
            for app in try await store.upkeep.removedApps() { try StandardOutput.write(app.line, to: .standardError) }
        }
    }
}

extension AppRecord {
    /// A line of text about the app, for people and for tools such as `cut`.
    fileprivate var line: String {
        let credentials = APNsEnvironment.allCases.map { environment in
            "\(environment.rawValue): \(self.credentials[environment]?.summary ?? "no credential")"
        }
        let rate = sendsPerSecond.map { "  \($0) pushes a second" } ?? ""
        let signIn = requiresSignIn ? "sign-in required" : "sign-in optional"
        return "\(topic)  \(signIn)\(rate)  \(credentials.joined(separator: "; "))"
    }
}

extension RemovedApp {
    /// A sentence about an app whose data is still being deleted.
    var line: String {
        "\(topic) was removed at \(removed); 'carillon serve' deletes its devices and messages while it runs"
    }
}

extension CredentialOptions {
    /// Returns a reference to the credential that the options name.
    ///
    /// The function also loads the credential, so that the command fails now if the credential is invalid, and not the service
    /// later.
    fileprivate func reference() throws -> CredentialReference {
        if let certificate {
            try CommandFile.checkIsForService(certificate, option: "--certificate")
        } else {
            try CommandFile.checkIsForService(try key.parts().path, option: "--key")
        }
        _ = try credential()
        if let certificate { return .certificate(path: URL(fileURLWithPath: certificate).path) }
        let (path, keyID, teamID) = try key.parts()
        return .signingKey(path: path, keyID: keyID, teamID: teamID)
    }
}
