import ArgumentParser
import CarillonCore
import CarillonServer
import CommandSupport
import Foundation

/// `carillon apps`: manages the apps of a service.
struct AppsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apps",
        abstract: "Adds and lists the apps of a service, each with its own credential, keys, users and messages.",
        discussion: """
            'carillon serve --topic' adds an app too. The credential stays in its file; the database has only the path. \
            The service can keep running meanwhile: it finds a new app's credential within seconds.

            Examples:
              carillon apps add --data ./data --topic com.example.chime --key AuthKey_ABC123DEFG.p8 --team-id TEAM123456
              carillon apps add --data ./data --topic com.example.ferry --certificate ferry.p12 --environment production
              carillon apps add --data ./data --topic com.example.ferry --require-sign-in
              carillon apps add --data ./data --topic com.example.ferry --sends-per-second 500
              carillon apps list --data ./data
            """,
        subcommands: [Add.self, List.self])

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
                at: SystemClock().now)
            try StandardOutput.write(app.line)
        }

        /// Returns a reference to the credential.
        ///
        /// It loads the credential once, so that a wrong one is reported now.
        private func reference() throws -> CredentialReference? {
            let key = credential.key
            // CARILLON_KEY alone is no wish to change the app's credential.
            let hasKey = key.key != nil || key.keyID != nil || key.teamID != nil
            guard credential.certificate != nil || hasKey else { return nil }
            if let certificate = credential.certificate {
                try CommandFile.checkIsLasting(certificate, option: "--certificate")
            } else {
                try CommandFile.checkIsLasting(try key.parts().path, option: "--key")
            }
            _ = try credential.credential()
            if let certificate = credential.certificate {
                return .certificate(path: URL(fileURLWithPath: certificate).path)
            }
            let (path, keyID, teamID) = try key.parts()
            return .signingKey(path: path, keyID: keyID, teamID: teamID)
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists each app with its credentials, and whether it requires a sign-in.")

        @OptionGroup var service: DataOption

        func run() async throws {
            for app in try await service.existingStore().apps.all() { try StandardOutput.write(app.line) }
        }
    }
}

extension AppRecord {
    /// The app on one line, for people and for `cut`.
    fileprivate var line: String {
        let credentials = APNsEnvironment.allCases.map { environment in
            switch self.credentials[environment] {
            case .signingKey(let path, let keyID, let teamID):
                "\(environment.rawValue): key \(keyID) of team \(teamID) in \(path)"
            case .certificate(let path): "\(environment.rawValue): certificate in \(path)"
            case nil: "\(environment.rawValue): no credential"
            }
        }
        let rate = sendsPerSecond.map { "  \($0) pushes a second" } ?? ""
        let signIn = requiresSignIn ? "sign-in required" : "sign-in optional"
        return "\(topic)  \(signIn)\(rate)  \(credentials.joined(separator: "; "))"
    }
}
