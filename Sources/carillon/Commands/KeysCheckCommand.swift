import ArgumentParser
import CarillonAPNs
import CarillonCore
import CommandSupport
import Foundation
import ServiceSupport

/// `carillon keys check`: checks a credential against APNs, without a phone.
struct KeysCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Checks a signing key or certificate against APNs, without a phone.",
        discussion: """
            Sends one push to a random device token that no phone has. APNs checks the credential first: if it rejects \
            only the device token, the credential is valid for this topic and environment. Without --url or --sandbox, \
            both of Apple's environments are tried.

            Of a certificate it also says when it ends; a warning comes in its last 30 days.

            Exit status: 0 when the credential is valid for at least one of them, 1 when for none, 2 when APNs gave no \
            usable response.

            Examples:
              carillon keys check --key AuthKey_ABC123DEFG.p8 --team-id TEAM123456 \\
                --topic com.example.chime
              carillon keys check --certificate chime.p12
              carillon keys check --key apns/AuthKey_SIMKEY0001.p8 --team-id SIMTEAM001 \\
                --topic com.example.chime --url https://localhost:2197 --ca apns/ca.pem
            """)

    @OptionGroup(title: "Credential") var credential: CredentialOptions

    @Option(
        help: ArgumentHelp(
            "A topic to check, with its suffix; can be repeated. (default: the certificate's topics)",
            valueName: "topic"))
    var topic: [String] = []

    @OptionGroup(title: "APNs") var endpoint: EndpointOptions

    @Flag(help: "Print one JSON object.")
    var json = false

    func validate() throws {
        guard topic.allSatisfy({ !$0.isEmpty }) else { throw ValidationError("--topic must not be empty") }
    }

    func run() async throws {
        let credential = try credential.credential()
        let now = SystemClock().now
        credential.warn(at: now)
        var verdicts: [CredentialVerdict] = []
        for (name, endpoint) in try endpoints() {
            verdicts += try await check(credential, at: endpoint, called: name)
        }
        if json {
            try StandardOutput.write(json: try report(of: verdicts, for: credential, at: now).encoded())
        } else {
            let end = credential.certificateEnd.map { ["the certificate ends on \($0)"] } ?? []
            try StandardOutput.write((verdicts.map(\.text) + end).joined(separator: "\n"))
        }
        if verdicts.contains(where: { $0.outcome == .good }) { return }
        throw verdicts.contains { $0.outcome == .refused } ? ExitCode(1) : ExitCode(2)
    }

    private func report(
        of verdicts: [CredentialVerdict], for credential: APNsCredential, at now: Timestamp
    ) -> JSONValue {
        var members: [String: JSONValue] = ["checks": .array(verdicts.map(\.json))]
        if let end = credential.certificateEnd {
            members["certificate_ends"] = .string(end.description)
            members["certificate_days_left"] = .int((end - now).components.seconds / 86_400)
        }
        return .object(members)
    }

    /// Returns the servers at which the command checks the credential, as pairs: the name to print, and the server.
    func endpoints() throws -> [(String, APNsEndpoint)] {
        if endpoint.url == nil, !endpoint.sandbox { return [("production", .production), ("sandbox", .sandbox)] }
        return [(endpoint.url ?? "sandbox", try endpoint.endpoint())]
    }

    /// Returns the topics that the command checks: the values of `--topic`, or without that option the certificate's topics.
    private func topics(of credential: APNsCredential) throws -> [String] {
        if !topic.isEmpty { return topic }
        guard case .certificate(let certificate) = credential else {
            throw ValidationError("--topic is missing: a signing key is valid for many apps, so choose one")
        }
        guard !certificate.topics.isEmpty else {
            throw ValidationError("--topic is missing, and the certificate contains none: is it a push certificate?")
        }
        return certificate.topics
    }

    private func check(
        _ credential: APNsCredential, at endpoint: APNsEndpoint, called name: String
    ) async throws -> [CredentialVerdict] {
        let client = try self.endpoint.client(credential, at: endpoint, clock: SystemClock())
        var verdicts: [CredentialVerdict] = []
        for topic in try topics(of: credential) {
            verdicts.append(await CredentialProbe.verdict(on: topic, with: client, at: name))
        }
        await client.shutdown()
        return verdicts
    }
}
