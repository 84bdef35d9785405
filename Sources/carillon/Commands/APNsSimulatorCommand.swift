import ArgumentParser
import CarillonCore
import CarillonSimulator
import Foundation
import Logging
import ServiceLifecycle
import UnixSignals

/// `carillon apns-simulator`: a simulated APNs, for tests without a phone or an Apple account.
struct APNsSimulatorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apns-simulator",
        abstract: "Runs a simulated APNs with Apple's checks, for senders in any language.",
        discussion: """
            Writes the files that a sender needs to --directory: ca.pem (the certificate authority to trust), \
            AuthKey_<KEYID>.p8 (the signing key) and simulator.json (host, port, team_id, key_id, topic, device_tokens, \
            admin_url). A later start with the same directory reuses the key and the authority. Prints one line when it \
            is ready. Ctrl-C or SIGTERM stops it.

            Exit status: 0 after Ctrl-C or SIGTERM; 1 when it cannot start, for example on a busy port or with an \
            unreadable key; 64 for a wrong option, --directory included.

            Examples:
              carillon apns-simulator --port 2197 --directory ./apns
              carillon apns-simulator --port 0 --directory ./apns \\
                --topic com.example.chime --devices 10 --offline 3
              carillon apns-simulator --port 2197 --directory ./apns \\
                --fleet 100000 --journal 0 --streams-before-proof 100
            """)

    @Option(help: ArgumentHelp("The port to listen on; 0 selects a free port.", valueName: "n"))
    var port = 2197

    @Option(help: ArgumentHelp("The address to listen on.", valueName: "address"))
    var host = "127.0.0.1"

    @Option(help: ArgumentHelp("The port of the admin API (plain HTTP); 0 selects a free port.", valueName: "n"))
    var adminPort = 0

    @Option(help: ArgumentHelp("The folder for the sender's files; created if missing.", valueName: "dir"))
    var directory: String

    @Option(help: ArgumentHelp("The app's bundle id; can be repeated.", valueName: "bundle id"))
    var topic = ["com.example.app"]

    @Option(
        help: ArgumentHelp(
            "How many devices to create for each topic; their tokens are in simulator.json.", valueName: "n"))
    var devices = 1

    @Option(help: ArgumentHelp("How many of them are offline, so that APNs stores their pushes.", valueName: "n"))
    var offline = 0

    @Option(
        help: ArgumentHelp(
            "For load tests: how many more devices of the first topic to keep online; their tokens are in device_tokens.txt, one per line.",
            valueName: "n"))
    var fleet = 0

    @Option(help: ArgumentHelp("The team's id, 10 characters.", valueName: "id"))
    var teamID = "SIMTEAM001"

    @Option(help: ArgumentHelp("The key's id, 10 characters.", valueName: "id"))
    var keyID = "SIMKEY0001"

    @Option(
        help: ArgumentHelp(
            "How many requests and events the journal keeps; 0 keeps none, for load tests.", valueName: "n"))
    var journal = 10_000

    @Option(
        help: ArgumentHelp(
            "How many streams a connection may open before its first valid provider token. Apple allows 1; load generators that do not wait for SETTINGS need 100.",
            valueName: "n"))
    var streamsBeforeProof = 1

    @Option(help: "Which of Apple's environments to simulate: sandbox or production.")
    var environment = APNsEnvironment.sandbox

    @Option(help: "What APNs stores for an offline device: one push per app, or one per collapse id.")
    var store = DeliveryRules.StoragePolicy.onePerApp

    @Option(help: "What happens to a stored push that has expired: strict discards it, late delivers it, as APNs may.")
    var expiry = DeliveryRules.Expiry.strict

    @Option(
        help: ArgumentHelp(
            "The seed of everything random except the keys; the same seed repeats a run.", valueName: "n"))
    var seed: UInt64?

    func validate() throws {
        guard (0...65535).contains(port) else { throw ValidationError("--port must be between 0 and 65535") }
        guard (0...65535).contains(adminPort) else { throw ValidationError("--admin-port must be between 0 and 65535") }
        guard (0...100_000).contains(devices) else { throw ValidationError("--devices must be between 0 and 100000") }
        guard (0...devices).contains(offline) else {
            throw ValidationError("--offline must be between 0 and --devices (\(devices))")
        }
        guard (0...1_000_000).contains(fleet) else { throw ValidationError("--fleet must be between 0 and 1000000") }
        guard (0...1_000_000).contains(journal) else {
            throw ValidationError("--journal must be between 0 and 1000000")
        }
        guard (1...1000).contains(streamsBeforeProof) else {
            throw ValidationError("--streams-before-proof must be between 1 and 1000")
        }
        for (option, id) in [("--team-id", teamID), ("--key-id", keyID)] {
            let isWellFormed = id.utf8.count == 10 && id.allSatisfy { $0.isASCII && ($0.isNumber || $0.isUppercase) }
            guard isWellFormed else { throw ValidationError("\(option) must be 10 capital letters and digits") }
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
