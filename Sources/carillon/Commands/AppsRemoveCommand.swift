import ArgumentParser
import CarillonAPNs
import CarillonCore
import CarillonServer
import CommandSupport
import Foundation
import ServiceSupport

/// `carillon apps remove`: removes an app of a service with everything that belongs to it.
struct AppsRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Removes an app with its keys, devices and messages, after it has asked.",
        discussion: """
            At once, no further push of the app is sent and its waiting ones are dropped; its credentials and sign-in keys \
            are gone, its phones are refused, and API keys that are for this app only are revoked. Pushes that a sender \
            already has in its hands still go out: at most \(RemovedApp.pushesInFlight) in each environment, within seconds. \
            Those that APNs keeps for phones that are offline may arrive later.

            The service can keep running meanwhile. It deletes the app's devices, users and messages in small steps; \
            'carillon apps list' names the app until that is done, and the log says when it is. Nothing of it can be \
            brought back, except from a backup. The entries of 'carillon audit' stay.

            An app that is added under that bundle id afterwards is a new one, without devices and messages. Take the app \
            out of the settings of 'carillon serve' too: a start with its --topic adds it again. Broadcast channels at \
            Apple stay; 'carillon channels delete' deletes them.

            Examples:
              carillon apps remove --data ./data --topic com.example.ferry --dry-run
              carillon apps remove --data ./data --topic com.example.ferry
              carillon apps remove --data ./data --topic com.example.ferry --yes

            Exit status: 0 when the app is removed, or was removed before and is still being deleted; 1 when the question \
            was answered with anything but the bundle id.
            """)

    @OptionGroup var service: DataOption

    @Option(help: ArgumentHelp("The app's bundle id.", valueName: "bundle id"))
    var topic: String

    @Flag(help: "Do not ask. Without a terminal, this is needed.")
    var yes = false

    @Flag(help: "Say what would be deleted, and delete nothing.")
    var dryRun = false

    func validate() throws { try AppOption.check(topic) }

    func run() async throws {
        let store = try await service.existingStore()
        let (apps, all) = (store.apps, try await store.apps.all())
        if !all.contains(where: { $0.topic == topic }),
            let removed = try await store.upkeep.removedApps().last(where: { $0.topic == topic })
        {
            return try StandardOutput.write(removed.line)
        }
        let app = try AppOption.app(topic, among: all)
        guard yes || dryRun || isatty(STDIN_FILENO) == 1 else {
            throw ValidationError("nobody can be asked here, because this is no terminal: --yes removes the app")
        }
        try StandardOutput.write("\(topic) \(dryRun ? "would" : "will") be removed with all that it has:")
        for line in try await apps.contents(of: app).lines { try StandardOutput.write("  \(line)") }
        guard !dryRun else { return }
        if !yes { try ask() }
        guard try await apps.remove(app, by: .person, at: SystemClock().now) else {
            throw ValidationError("--topic \(topic): another command has removed the app meanwhile")
        }
        try StandardOutput.write(
            "\(topic) is removed; 'carillon serve' deletes its devices and messages while it runs")
    }

    private func ask() throws {
        try StandardOutput.write("None of it can be brought back. To remove the app, type its bundle id:")
        guard readLine()?.trimmingCharacters(in: .whitespaces) == topic else {
            try StandardOutput.write("that is not \(topic): nothing was removed", to: .standardError)
            throw ExitCode(1)
        }
    }
}

extension AppContents {
    /// The data of the app, as one line for each kind.
    var lines: [String] {
        func named(_ keys: [APIKeyRecord]) -> String { keys.map { "\($0.id) (\($0.name))" }.joined(separator: ", ") }
        let environments = credentials.map(\.rawValue).joined(separator: ", ")
        var lines = [
            "credentials: \(environments.isEmpty ? "none" : "\(environments); their files stay")",
            "sign-in keys: \(signInKeys)",
            "API keys to be revoked: \(ownKeys.isEmpty ? "none" : named(ownKeys))",
        ]
        if !sharedKeys.isEmpty { lines.append("API keys that go on for other apps: \(named(sharedKeys))") }
        lines.append("devices: \(devices)")
        let waiting = unsent == 0 ? "" : ", and \(unsent) of them still have something to send"
        lines.append("messages: \(messages)\(waiting)")
        return lines
    }
}
