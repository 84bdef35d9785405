import ArgumentParser
import CarillonCore
import CarillonSimulator
import Foundation
import Logging
import ServiceLifecycle
import UnixSignals

/// `carillon apns-simulator`: runs a simulated APNs, for tests without a phone or an Apple account.
///
/// The program `carillon-apns-simulator` consists of only this command.
package struct APNsSimulatorCommand: AsyncParsableCommand {
    package static let configuration = help(for: CommandLine.arguments.first ?? "")

    private static let programName = "carillon-apns-simulator"

    /// Returns the command's help, with examples that begin with the name of the running program.
    static func help(for program: String) -> CommandConfiguration {
        let isAlone = program.split(separator: "/").last.map { $0 == programName } ?? false
        let discussion = isAlone ? discussion.replacing("carillon apns-simulator", with: programName) : discussion
        return CommandConfiguration(
            commandName: isAlone ? programName : "apns-simulator",
            abstract: "Runs a simulated APNs with Apple's checks, for senders in any language.", discussion: discussion,
            version: isAlone ? CommandVersion.text : "")
    }

    private static let discussion =
        """
        Writes the files that a sender needs to --directory: ca.pem (the certificate authority to trust), \
        AuthKey_<KEYID>.p8 (the signing key), for each topic a client certificate (certificate_<topic>.pem and \
        .p12, password carillon) and simulator.json (host, port, ports, team_id, key_id, topic, device_tokens, \
        admin_url, …). A later start with the same directory reuses the keys and the authority; the device tokens \
        are new ones. Prints one line when it is ready. Ctrl-C or SIGTERM stops it.

        With --env, the simulator runs in the background, on a free port unless --port is given, and the command \
        prints variables for a shell: APNS_URL, APNS_HOST, APNS_PORT, APNS_CA, APNS_KEY, APNS_KEY_ID, \
        APNS_TEAM_ID, APNS_TOPIC, APNS_DEVICE_TOKEN, APNS_CERTIFICATE, APNS_ADMIN_URL, APNS_DIRECTORY and APNS_PID. \
        kill "$APNS_PID" stops it.

        --any-token, --cleartext, --mdm and --well-known open doors for senders that Apple's servers would turn \
        away. The header carillon-doors of each answer names the open doors.

        Everything else is set by name, in a JSON file (--config) or one by one (--set): \(settingNames).

        Exit status: 0 after Ctrl-C or SIGTERM; 1 when it cannot start, for example on a busy port or with an \
        unreadable key; 64 for a wrong option, --directory included. With --env 0 when the simulator is ready.

        Examples:
          eval "$(carillon apns-simulator --env)"
          carillon apns-simulator --port 2197 --directory ./apns
          carillon apns-simulator --port 0 --directory ./apns \\
            --topic com.example.chime --devices 10 --offline 3
          carillon apns-simulator --port 2197 --directory ./apns --replay outage.jsonl
          carillon apns-simulator --port 2197 --directory ./apns --strict \\
            --set idle_timeout_seconds=3600 --set 'faults={"go_away_every": 500}'
          carillon apns-simulator --port 2197 --directory ./apns \\
            --fleet 100000 --journal 0 --streams-before-proof 100
        """

    @Option(
        help: ArgumentHelp(
            "The port to listen on; 0 selects a free port. Can be repeated: Apple's servers have 443 and 2197. (default: 2197)",
            valueName: "n"))
    package var port: [Int] = []

    @Option(help: ArgumentHelp("The address to listen on. (default: 127.0.0.1)", valueName: "address"))
    package var host: String?

    @Option(
        help: ArgumentHelp(
            "The name or address by which senders reach this machine or container; in simulator.json, --env and the certificate. (default: localhost)",
            valueName: "host"))
    package var advertisedHost: String?

    @Option(
        help: ArgumentHelp(
            "The port of the admin API (plain HTTP); 0 selects a free port. (default: 0)", valueName: "n"))
    package var adminPort: Int?

    @Option(
        help: ArgumentHelp(
            "The folder for the sender's files; created if missing. With --env, the default is a new folder for temporary files.",
            valueName: "dir"))
    package var directory: String?

    @Flag(help: "Run in the background and print variables for the shell: eval \"$(… --env)\".")
    package var env = false

    @Option(
        help: ArgumentHelp("The app's bundle id; can be repeated. (default: com.example.app)", valueName: "bundle id"))
    package var topic: [String] = []

    @Option(help: ArgumentHelp("A JSON file with settings; options and --set overrule it.", valueName: "file"))
    package var config: String?

    @Option(
        help: ArgumentHelp(
            "One setting, its value as JSON or as plain text; can be repeated.", valueName: "name=value"))
    package var set: [String] = []

    @Flag(help: "Refuse what Apple's servers accept against the rules, such as a missing apns-push-type.")
    package var strict = false

    @Flag(help: "Make an unknown device token a phone's token when the first push to it comes.")
    package var anyToken = false

    @Flag(help: "Take HTTP/2 without TLS (with prior knowledge), and nothing else.")
    package var cleartext = false

    @Flag(help: "Take pushes of the type mdm with any topic and with a provider token.")
    package var mdm = false

    @Flag(
        help:
            "Use the key and the authority that are the same on every machine. Everybody knows them: trust them in tests only."
    )
    package var wellKnown = false

    @Option(
        help: ArgumentHelp(
            "How many devices to create for each topic; their tokens are in simulator.json.", valueName: "n"))
    package var devices = 1

    @Option(help: ArgumentHelp("How many of them are offline, so that APNs stores their pushes.", valueName: "n"))
    package var offline = 0

    @Option(
        help: ArgumentHelp(
            "For load tests: how many more devices of the first topic to keep online; their tokens are in device_tokens.txt, one per line.",
            valueName: "n"))
    package var fleet = 0

    @Option(
        help: ArgumentHelp(
            "A recording of 'carillon record' to play again: its device tokens get its answers, in its order and times.",
            valueName: "file"))
    package var replay: String?

    @Option(help: ArgumentHelp("The team's id, 10 characters. (default: SIMTEAM001)", valueName: "id"))
    package var teamID: String?

    @Option(help: ArgumentHelp("The key's id, 10 characters. (default: SIMKEY0001)", valueName: "id"))
    package var keyID: String?

    @Option(
        help: ArgumentHelp(
            "How many requests and events the journal keeps; 0 keeps none, for load tests. (default: 10000)",
            valueName: "n"))
    package var journal: Int?

    @Option(
        help: ArgumentHelp(
            "How many streams a connection may open before its first valid provider token. Apple allows 1; load generators that do not wait for SETTINGS need 100. (default: 1)",
            valueName: "n"))
    package var streamsBeforeProof: Int?

    @Option(help: "Which of Apple's environments to simulate: sandbox or production. (default: sandbox)")
    package var environment: APNsEnvironment?

    @Option(help: "What APNs stores for an offline device: one push per app, or one per collapse id. (default: one)")
    package var store: DeliveryRules.StoragePolicy?

    @Option(
        help:
            "What happens to a stored push that has expired: strict discards it, late delivers it, as APNs may. (default: strict)"
    )
    package var expiry: DeliveryRules.Expiry?

    @Option(
        help: ArgumentHelp(
            "The seed of everything random except the keys; the same seed repeats a run.", valueName: "n"))
    package var seed: UInt64?

    package init() {}

    /// The doors that options open.
    var doors: Set<SimulatorDoor> {
        let all: [(Bool, SimulatorDoor)] = [
            (anyToken, .anyToken), (cleartext, .cleartext), (mdm, .mdm), (wellKnown, .wellKnown),
        ]
        return Set(all.filter(\.0).map(\.1))
    }

    package func validate() throws {
        guard env || directory != nil else { throw ValidationError("Missing expected argument '--directory <dir>'") }
        let ranges: [(String, Int?, ClosedRange<Int>)] = [
            ("--port", port.min(), 0...65_535), ("--port", port.max(), 0...65_535),
            ("--admin-port", adminPort, 0...65_535), ("--devices", devices, 0...100_000),
            ("--fleet", fleet, 0...1_000_000), ("--journal", journal, 0...1_000_000),
            ("--streams-before-proof", streamsBeforeProof, SimulatorLimits.streamsBeforeProof),
        ]
        guard port.count <= 1 + SimulatorLimits.furtherPortLimit else {
            throw ValidationError("--port can be given \(1 + SimulatorLimits.furtherPortLimit) times at most")
        }
        guard advertisedHost?.isEmpty != true else { throw ValidationError("--advertised-host must not be empty") }
        for case (let option, let number?, let range) in ranges where !range.contains(number) {
            throw ValidationError("\(option) must be between \(range.lowerBound) and \(range.upperBound)")
        }
        guard (0...devices).contains(offline) else {
            throw ValidationError("--offline must be between 0 and --devices (\(devices))")
        }
        for case (let option, let id?) in [("--team-id", teamID), ("--key-id", keyID)] {
            let isWellFormed = id.utf8.count == 10 && id.allSatisfy { $0.isASCII && ($0.isNumber || $0.isUppercase) }
            guard isWellFormed else { throw ValidationError("\(option) must be 10 capital letters and digits") }
        }
        guard topic.allSatisfy({ !$0.isEmpty }) else { throw ValidationError("--topic must not be empty") }
    }

    package func run() async throws {
        guard !env else { return try BackgroundSimulator(self).run() }
        let files = SimulatorDirectory(path: directory ?? ".")
        try files.prepare()
        let recording = try replay.map(Self.recording)
        var configuration = try SimulatorSettings(self).configuration(in: files)
        if let topics = recording?.topics, !topics.isEmpty, topic.isEmpty { configuration.topics = topics }
        let logger = Logger(label: "carillon.apns-simulator") { StreamLogHandler.standardError(label: $0) }
        let simulator = try await APNsSimulator.start(configuration, logger: logger)
        let population =
            recording.map { InitialDevices(replaying: $0, on: simulator) }
            ?? InitialDevices(on: simulator, count: devices, offline: offline, fleetCount: fleet)
        try files.write(
            simulator, advertisedHost: advertisedHost, seed: configuration.seed, furtherKeys: configuration.furtherKeys,
            population: population)
        let announcement =
            "APNs simulator is ready at \(SimulatorDirectory.scheme(of: simulator))://\(URLAuthority.text(host: advertisedHost ?? simulator.host, port: simulator.port)), see \(files.summaryPath) (seed \(configuration.seed))"

        let group = ServiceGroup(
            configuration: .init(
                services: [.init(service: SimulatorService(simulator: simulator, announcement: announcement))],
                gracefulShutdownSignals: [.sigint, .sigterm, .sighup], logger: logger))
        try await group.run()
    }

    private static func recording(at path: String) throws -> APNsRecording {
        do {
            return try APNsRecording(reading: try CommandFile.text(at: path, option: "--replay"))
        } catch let error as RecordingError {
            throw ValidationError("--replay \(path), \(error)")
        }
    }

    private static let settingNames = SimulatorConfiguration.settingNames.joined(separator: ", ")
}

extension APNsEnvironment: ExpressibleByArgument {}
extension DeliveryRules.StoragePolicy: ExpressibleByArgument {}
extension DeliveryRules.Expiry: ExpressibleByArgument {}
