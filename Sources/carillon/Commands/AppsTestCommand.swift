import ArgumentParser
import CarillonAPNs
import CarillonCore
import CarillonServer
import CommandSupport

/// `carillon apps test`: tries the credentials of a service's apps against APNs.
struct AppsTestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Tries each app's credentials against APNs, without a phone.",
        discussion: """
            Sends one push to a random device token that no phone has, for each app in each environment for which it has a \
            credential. The service can keep running meanwhile.

            Exit status: 0 when APNs takes all credentials, 1 otherwise.
            """)

    @OptionGroup var service: DataOption

    @Option(help: ArgumentHelp("The app to test. (default: all)", valueName: "bundle id"))
    var topic: String?

    @OptionGroup(title: "APNs") var endpoint: EndpointOptions

    func validate() throws { if let topic { try AppOption.check(topic) } }

    func run() async throws {
        let all = try await service.existingStore().apps.all()
        let apps = try topic.map { try [AppOption.app($0, among: all).topic] } ?? all.map(\.topic)
        let one = endpoint.url == nil && !endpoint.sandbox ? nil : try endpoint.endpoint()
        let credentials = all.filter { apps.contains($0.topic) }.map { ($0.topic, $0.credentials) }
        let trials = CredentialTrial.all(
            of: Dictionary(credentials) { first, _ in first }, production: one ?? .production,
            sandbox: one ?? .sandbox)
        var areGood = true
        for trial in trials {
            switch await trial.run(with: { try endpoint.client($0, at: $1, clock: SystemClock()) }) {
            case .unusable(let reason):
                areGood = false
                try StandardOutput.write("\(trial.topic): \(reason)")
            case .judged(let verdict, let end):
                if verdict.outcome != .good { areGood = false }
                let end = end.map { "\n  the certificate ends on \($0)" } ?? ""
                try StandardOutput.write(verdict.text + end)
            }
        }
        for app in apps where !trials.contains(where: { $0.topic == app }) {
            areGood = false
            try StandardOutput.write("\(app): no credential; 'carillon apps add' gives it one")
        }
        if !areGood { throw ExitCode(1) }
    }
}
