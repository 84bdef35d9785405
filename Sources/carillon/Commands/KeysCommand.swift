import ArgumentParser
import CarillonAPNs
import CarillonCore
import Foundation

/// `carillon keys`: what a sender shows APNs.
struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Asks for a push certificate, and checks a key or certificate without a phone.",
        discussion: """
            A signing key (AuthKey_….p8) is made on Apple's developer site and needs no request: it is for all apps of a \
            team and does not run out. A certificate is for one app and for a year.

            Examples:
              carillon keys check --key AuthKey_ABC123DEFG.p8 --team-id TEAM123456 --topic com.example.chime
              carillon keys check --certificate chime.pem --topic com.example.chime --sandbox
              carillon keys request --name "Chime push" --directory ./chime-certificate
            """,
        subcommands: [Check.self, Request.self])

    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Asks APNs whether a key or certificate may send for an app; no phone is reached.",
            discussion: """
                Sends one silent push to a device token that is made up. APNs looks at the credential and the topic first, so \
                its answer BadDeviceToken is the good news. Exit status: 0 it may send, 1 APNs refuses it, 2 not known.

                Examples:
                  carillon keys check --key AuthKey_ABC123DEFG.p8 --team-id TEAM123456 --topic com.example.chime
                  carillon keys check --certificate chime.p12 --topic com.example.chime --sandbox
                  carillon keys check --key apns/AuthKey_SIMKEY0001.p8 --team-id SIMTEAM001 --topic com.example.app \\
                    --url https://localhost:2197 --ca apns/ca.pem
                """)

        @OptionGroup(title: "Credential") var credential: CredentialOptions

        @Option(help: ArgumentHelp("The app's bundle id.", valueName: "bundle id"))
        var topic: String

        @OptionGroup(title: "APNs") var endpoint: EndpointOptions

        @Flag(help: "Print one JSON object.")
        var json = false

        func run() async throws {
            let place = try endpoint.endpoint()
            let client = try endpoint.client(try credential.credential(), clock: SystemClock())
            let check: CredentialCheck
            do {
                check = CredentialCheck(try await client.send(try Self.harmlessPush(topic: topic)), topic: topic)
            } catch let error as APNsError {
                check = CredentialCheck(error)
            }
            await client.shutdown()
            print(try check.printed(asJSON: json, topic: topic, host: "\(place.host):\(place.port)"))
            if check.exitCode != .success { throw check.exitCode }
        }

        /// A background push to 32 random bytes: were there such a device, its person would notice nothing.
        private static func harmlessPush(topic: String) throws -> APNsNotification {
            var generator = SystemRandomNumberGenerator()
            let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            guard let token = DeviceToken(Data(bytes)) else { throw ExitCode.failure }
            let payload = try Payload(aps: Aps(contentAvailable: true)).validated(for: .background)
            return APNsNotification(
                deviceToken: token, topic: topic, pushType: .background, payload: APNsPayload(payload), priority: nil,
                expiration: .oneAttempt, collapseID: nil, apnsID: UUID())
        }
    }

    struct Request: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes a private key and the signing request that Apple's developer site asks for.",
            discussion: """
                Writes push.certSigningRequest (upload it) and push-key.pem (keep it; whoever has it can send for the app).

                Example:
                  carillon keys request --name "Chime push" --email push@example.com --directory ./chime-certificate
                """)

        @Option(help: "How the key is to be called.")
        var name: String

        @Option(help: ArgumentHelp("An address for the request; Apple does not check it.", valueName: "address"))
        var email: String?

        @Option(help: ArgumentHelp("Where both files are written; made if missing.", valueName: "dir"))
        var directory: String

        func run() throws {
            let folder = URL(fileURLWithPath: directory, isDirectory: true)
            let (key, request) = (
                folder.appending(path: "push-key.pem"), folder.appending(path: "push.certSigningRequest")
            )
            for file in [key, request] where FileManager.default.fileExists(atPath: file.path) {
                throw ValidationError(
                    "--directory \(directory): \(file.lastPathComponent) is there already, and a certificate may belong to "
                        + "it; choose another folder")
            }
            let made = try APNsCertificateRequest(commonName: name, email: email)
            try NewFile.write(made.privateKeyPEM, to: key, isSecret: true, option: "--directory")
            try NewFile.write(made.requestPEM, to: request, isSecret: false, option: "--directory")
            print(
                """
                \(request.path): upload it at Certificates, Identifiers & Profiles, "Apple Push Notification service SSL"
                \(key.path): the private key; keep it to yourself
                Then join what Apple hands out (aps.cer) with the key, and check it:
                  (openssl x509 -inform DER -in aps.cer; cat \(key.path)) > push.pem
                  carillon keys check --certificate push.pem --topic BUNDLE_ID
                """)
        }
    }
}

/// Files that a command makes, and never overwrites.
enum NewFile {
    /// - Parameter isSecret: only the owner may read it, from the moment at which it is there.
    /// - Throws: a sentence that names the option, the path and what is wrong with it.
    static func write(_ text: String, to file: URL, isSecret: Bool, option: String) throws {
        do {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        } catch {
            throw ValidationError(
                "\(option) \(file.deletingLastPathComponent().path): the folder cannot be made "
                    + "(\(error.localizedDescription))")
        }
        let descriptor = open(file.path, O_WRONLY | O_CREAT | O_EXCL, isSecret ? 0o600 : 0o644)
        guard descriptor >= 0 else {
            throw ValidationError("\(option): \(file.path) cannot be written (\(String(cString: strerror(errno))))")
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try handle.write(contentsOf: Data(text.utf8))
        try handle.close()
    }
}
