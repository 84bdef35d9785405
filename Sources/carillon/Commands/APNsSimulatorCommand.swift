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
            uses the same key and authority. Prints one line when it is ready; ends with Ctrl-C.

            Examples:
              carillon apns-simulator --port 2197 --directory ./apns
              carillon apns-simulator --port 0 --directory ./apns --topic com.example.chime --devices 10 --offline 3
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
        guard topic.allSatisfy({ !$0.isEmpty }) else { throw ValidationError("--topic must not be empty") }
    }

    func run() async throws {
        let files = SimulatorDirectory(path: directory)
        let seed = seed ?? UInt64.random(in: .min ... .max)
        var configuration = SimulatorConfiguration(clock: SystemClock(), seed: seed, topics: Set(topic))
        configuration.host = host
        configuration.port = port
        configuration.adminPort = adminPort
        configuration.environment = environment
        configuration.delivery.storage = store
        configuration.delivery.expiry = expiry
        configuration.credentials = try files.credentials(keyID: configuration.keyID)
        let logger = Logger(label: "carillon.apns-simulator") { StreamLogHandler.standardError(label: $0) }
        let simulator = try await APNsSimulator.start(configuration, logger: logger)
        let tokens = makeDevices(on: simulator)
        try files.write(simulator, seed: seed, tokens: tokens)
        let announcement =
            "APNs simulator is ready at https://\(simulator.host):\(simulator.port), see \(files.summaryPath) (seed \(seed))"

        let group = ServiceGroup(
            configuration: .init(
                services: [.init(service: SimulatorService(simulator: simulator, announcement: announcement))],
                gracefulShutdownSignals: [.sigint, .sigterm], logger: logger))
        try await group.run()
    }

    /// - Returns: for each topic the tokens of its devices; the first `offline` of them are not connected.
    private func makeDevices(on simulator: APNsSimulator) -> [String: [String]] {
        var tokens = Dictionary(topic.map { ($0, [String]()) }) { first, _ in first }
        for topic in topic {
            for number in 0..<devices {
                let device = "device-\(number + 1)"
                let token = simulator.devices.issueToken(device: device, topic: topic, environment: environment)
                if number >= offline { simulator.devices.connect(device: device) { _ in } }
                tokens[topic, default: []].append(token.hexadecimal)
            }
        }
        return tokens
    }
}

extension APNsEnvironment: ExpressibleByArgument {}
extension DeliveryRules.StoragePolicy: ExpressibleByArgument {}
extension DeliveryRules.Expiry: ExpressibleByArgument {}

/// Keeps a simulator running until the process is asked to end.
struct SimulatorService: Service {
    let simulator: APNsSimulator
    /// Printed once the process also listens to its signals, because scripts wait for it; `nil` for nothing.
    var announcement: String?

    func run() async throws {
        if let announcement {
            // Not print, which a pipe would hold back.
            FileHandle.standardOutput.write(Data("\(announcement)\n".utf8))
        }
        try? await gracefulShutdown()
        await simulator.shutdown()
    }
}
