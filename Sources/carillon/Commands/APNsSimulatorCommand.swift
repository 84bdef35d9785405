import ArgumentParser
import CarillonCore
import CarillonSimulator
import Foundation
import Logging
import ServiceLifecycle
import UnixSignals

/// `carillon apns-simulator`: APNs for whoever has neither a phone nor an Apple account at hand.
struct APNsSimulatorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apns-simulator",
        abstract: "Runs a simulated APNs with Apple's rules, for senders in any language.",
        discussion: """
            Writes into --directory what a sender needs: ca.pem (trust it), AuthKey_<KEYID>.p8 (sign with it), and \
            simulator.json (host, port, team_id, key_id, topic, device_tokens, admin_url). A later start with the same directory \
            uses the same key and authority. Prints one line when it is ready; ends with Ctrl-C or SIGTERM.

            Exit status: 0 after such an end; 1 when it cannot start, such as on a busy port or with an unreadable key; 64 for a \
            mistake in the options, --directory included.

            Examples:
              carillon apns-simulator --port 2197 --directory ./apns
              carillon apns-simulator --port 0 --directory ./apns --topic com.example.chime --devices 10 --offline 3
              carillon apns-simulator --port 2197 --directory ./apns --fleet 100000 --journal 0 --streams-before-proof 100
            """)

    @Option(help: ArgumentHelp("The port to listen on; 0 takes a free one.", valueName: "n"))
    var port = 2197

    @Option(help: ArgumentHelp("The address to listen on.", valueName: "address"))
    var host = "127.0.0.1"

    @Option(help: ArgumentHelp("The port of the admin API (plain HTTP); 0 takes a free one.", valueName: "n"))
    var adminPort = 0

    @Option(help: ArgumentHelp("Where the files for the sender are written; made if missing.", valueName: "dir"))
    var directory: String

    @Option(help: ArgumentHelp("The app's bundle id; may be given several times.", valueName: "bundle id"))
    var topic = ["com.example.app"]

    @Option(
        help: ArgumentHelp(
            "How many devices to make for each topic; their tokens are in simulator.json.", valueName: "n"))
    var devices = 1

    @Option(help: ArgumentHelp("How many of them are offline, so that APNs stores for them.", valueName: "n"))
    var offline = 0

    @Option(
        help: ArgumentHelp(
            "For load tests: how many devices of the first topic to hold attached besides; their tokens are in device_tokens.txt, one a line.",
            valueName: "n"))
    var fleet = 0

    @Option(help: ArgumentHelp("The 10 characters of the team's id.", valueName: "id"))
    var teamID = "SIMTEAM001"

    @Option(help: ArgumentHelp("The 10 characters of the key's id.", valueName: "id"))
    var keyID = "SIMKEY0001"

    @Option(
        help: ArgumentHelp("How many requests and events are remembered; 0 for none, in load tests.", valueName: "n"))
    var journal = 10_000

    @Option(
        help: ArgumentHelp(
            "How many streams a sender may open before its first valid token. Apple allows 1; load generators that do not wait for SETTINGS need 100.",
            valueName: "n"))
    var streamsBeforeProof = 1

    @Option(help: "Which of Apple's hosts this is: sandbox or production.")
    var environment = APNsEnvironment.sandbox

    @Option(help: "What is kept for an offline device: one push per app, or one per-collapse-id.")
    var store = DeliveryRules.StoragePolicy.onePerApp

    @Option(help: "A kept push that has expired: strict discards it, late delivers it, as a best-effort service may.")
    var expiry = DeliveryRules.Expiry.strict

    @Option(help: ArgumentHelp("Seeds everything random but the keys; the same seed replays a run.", valueName: "n"))
    var seed: UInt64?

    func validate() throws {
        guard (0...65535).contains(port) else { throw ValidationError("--port takes 0 to 65535") }
        guard (0...65535).contains(adminPort) else { throw ValidationError("--admin-port takes 0 to 65535") }
        guard (0...100_000).contains(devices) else { throw ValidationError("--devices takes 0 to 100000") }
        guard (0...devices).contains(offline) else {
            throw ValidationError("--offline takes 0 to --devices (\(devices))")
        }
        guard (0...1_000_000).contains(fleet) else { throw ValidationError("--fleet takes 0 to 1000000") }
        guard (0...1_000_000).contains(journal) else { throw ValidationError("--journal takes 0 to 1000000") }
        guard (1...1000).contains(streamsBeforeProof) else {
            throw ValidationError("--streams-before-proof takes 1 to 1000")
        }
        for (option, id) in [("--team-id", teamID), ("--key-id", keyID)] {
            let isWellFormed = id.utf8.count == 10 && id.allSatisfy { $0.isASCII && ($0.isNumber || $0.isUppercase) }
            guard isWellFormed else { throw ValidationError("\(option) takes 10 capital letters and digits") }
        }
        guard topic.allSatisfy({ !$0.isEmpty }) else { throw ValidationError("--topic must not be empty") }
    }

    func run() async throws {
        let files = SimulatorDirectory(path: directory)
        let seed = seed ?? UInt64.random(in: .min ... .max)
        var configuration = configuration(seed: seed)
        configuration.credentials = try files.credentials(keyID: keyID)
        try files.prepare()
        let logger = Logger(label: "carillon.apns-simulator") { StreamLogHandler.standardError(label: $0) }
        let simulator = try await APNsSimulator.start(configuration, logger: logger)
        let population = InitialDevices(
            on: simulator, count: devices, offline: offline, fleetCount: fleet)
        try files.write(simulator, seed: seed, population: population)
        let announcement =
            "APNs simulator is ready at https://\(simulator.host):\(simulator.port), see \(files.summaryPath) (seed \(seed))"

        let group = ServiceGroup(
            configuration: .init(
                services: [.init(service: SimulatorService(simulator: simulator, announcement: announcement))],
                gracefulShutdownSignals: [.sigint, .sigterm], logger: logger))
        try await group.run()
    }

    private func configuration(seed: UInt64) -> SimulatorConfiguration {
        var configuration = SimulatorConfiguration(clock: SystemClock(), seed: seed, topics: Set(topic))
        configuration.host = host
        configuration.port = port
        configuration.adminPort = adminPort
        configuration.teamID = teamID
        configuration.keyID = keyID
        configuration.environment = environment
        configuration.delivery.storage = store
        configuration.delivery.expiry = expiry
        configuration.journalLimit = journal
        configuration.streamsBeforeProof = streamsBeforeProof
        return configuration
    }
}

extension APNsEnvironment: ExpressibleByArgument {}
extension DeliveryRules.StoragePolicy: ExpressibleByArgument {}
extension DeliveryRules.Expiry: ExpressibleByArgument {}
