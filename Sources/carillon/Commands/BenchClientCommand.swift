import ArgumentParser
import CarillonAPNs
import CarillonCore
import CommandSupport
import Foundation
import Logging
import ServiceSupport
import UnixSignals

/// `carillon bench client`: sends many notifications through the client's public API, and measures its own process.
struct BenchClientCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "client",
        abstract: "Sends many notifications to a simulator and measures CPU time, rate, latency and memory.",
        discussion: """
            Start a simulator first, as a process of its own. Device tokens are read from --tokens, or from \
            simulator.json in the folder of --ca. Without either, random tokens are used; APNs rejects them, and the \
            rejections are counted. Measuring starts when all connections are open and --warm-up notifications have been \
            sent. Ctrl-C stops early and prints the figures so far.

            Exit status: 0 when every notification was accepted (with random tokens: got a response), 130 after Ctrl-C, \
            1 otherwise.

            Examples:
              carillon apns-simulator --port 2197 --directory ./apns \\
                --topic com.example.chime --devices 1000 &
              carillon bench client --url https://localhost:2197 \\
                --ca apns/ca.pem --key apns/AuthKey_SIMKEY0001.p8 --team-id SIMTEAM001 \\
                --topic com.example.chime -n 100000 --connections 4
              … --api batch --streams 100 --json
              … --rate 5000 -n 50000
            """)

    enum API: String, ExpressibleByArgument, CaseIterable, Sendable {
        /// Calls the client's `send(_:)` in as many tasks as there are streams.
        case send
        /// Calls the client's `send(contentsOf:)` once, with all notifications.
        case batch
    }

    @Option(help: ArgumentHelp("The simulator's address, for example https://localhost:2197.", valueName: "url"))
    var url: String

    @Option(help: ArgumentHelp("The certificate authority to trust (PEM).", valueName: "file"))
    var ca: String

    @OptionGroup(title: "Credential") var key: KeyOptions

    @Option(help: ArgumentHelp("The app's bundle id.", valueName: "bundle id"))
    var topic: String

    @Option(
        help: ArgumentHelp(
            "Device tokens in hexadecimal, one per line, used in turn. (default: from simulator.json beside --ca, else random)",
            valueName: "file"))
    var tokens: String?

    @Option(
        name: [.customShort("n"), .long], help: ArgumentHelp("How many notifications to measure.", valueName: "n"))
    var count = 100_000

    @Option(help: ArgumentHelp("How many connections to use.", valueName: "n"))
    var connections = 1

    @Option(help: ArgumentHelp("How many streams to use on each connection.", valueName: "n"))
    var streams = 1000

    @Option(help: "send: one task per stream. batch: one sequence of notifications.")
    var api = API.send

    @Option(
        help: ArgumentHelp(
            "Notifications per second, evenly spaced; latency then counts from the time each was due. (default: as fast as possible)",
            valueName: "n"))
    var rate: Int?

    @Option(help: ArgumentHelp("How many notifications to send before measuring.", valueName: "n"))
    var warmUp = 10_000

    @Flag(help: "Print one JSON object.")
    var json = false

    func validate() throws {
        for (name, value, range) in [
            ("-n", count, 1...1_000_000_000), ("--connections", connections, 1...64),
            ("--streams", streams, 1...10_000),
            ("--rate", rate ?? 1, 1...1_000_000), ("--warm-up", warmUp, 0...1_000_000),
        ] where !range.contains(value) {
            throw ValidationError("\(name) must be between \(range.lowerBound) and \(range.upperBound)")
        }
        guard rate == nil || api == .send else { throw ValidationError("use either --rate or --api batch, not both") }
        guard URL(string: url)?.host?.hasSuffix("push.apple.com") != true else {
            throw ValidationError("--url: no load tests against Apple's APNs; use 'carillon apns-simulator'")
        }
    }

    func run() async throws {
        let clock = SystemClock()
        let client = try makeClient(clock: clock)
        let (list, areMadeUp) = try BenchTokens.list(at: tokens, besideAuthority: ca)
        let notifications = BenchNotifications(topic: topic, tokens: list)
        let load = ClientLoad(
            client: client, notifications: notifications, expectsRefusals: areMadeUp, clock: clock)
        var wasStopped = false
        do {
            let report = try await withInterrupt {
                try await load.prepare(connections: connections, streams: streams, count: warmUp)
                return try await measure(load)
            }
            await client.shutdown()
            try StandardOutput.write(try report.printed(asJSON: json))
            wasStopped = report.wasStopped
            guard report.isClean(expectsRefusals: areMadeUp) || wasStopped else { throw ExitCode.failure }
        } catch let error as ClientLoad.Failure {
            await client.shutdown()
            throw ValidationError(error.description)
        }
        if wasStopped { throw ExitCode(130) }
    }

    private func measure(_ load: ClientLoad) async throws -> ClientBenchReport {
        let before = load.client.statistics
        let progress = BenchProgress(total: count, clock: load.clock) {
            load.client.statistics.latency.count - before.latency.count
        }
        let usage = ProcessUsage.now()
        let start = load.clock.uptime
        let watch = Task { await progress.run() }
        let paced = await load.run(self)
        let end = load.clock.uptime
        let used = ProcessUsage.now()
        watch.cancel()
        await watch.value
        return ClientBenchReport(
            bench: self, payloadByteCount: load.notifications.payload.byteCount, before: before,
            after: load.client.statistics, paced: paced, elapsed: end - start,
            usage: used.since(usage), wasStopped: Task.isCancelled)
    }

    /// Runs `body` in a task; SIGINT (Ctrl-C) and SIGTERM cancel the task.
    private func withInterrupt<Result: Sendable>(
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        let work = Task { try await body() }
        let watch = Task {
            for await _ in signals { work.cancel() }
        }
        defer { watch.cancel() }
        return try await work.value
    }

    private func makeClient(clock: any CarillonClock) throws -> APNsClient {
        var limits = APNsLimits()
        limits.connections = connections
        limits.streamsPerConnection = streams
        limits.suspendedSends = max(limits.suspendedSends, 4 * connections * streams)
        // Opens all connections at once, because no other sender uses the simulator.
        limits.congestionBeforeGrowth = .milliseconds(10)
        return try APNsClient(
            configuration: APNsConfiguration(
                endpoint: try APNsEndpoint(url: url, option: "--url"), credential: .signingKey(try key.signingKey()),
                trustRoots: .pem(try CommandFile.pem(at: ca, option: "--ca")), clock: clock,
                seed: UInt64.random(in: .min ... .max), limits: limits),
            logger: Logger(label: "carillon.bench") { StreamLogHandler.standardError(label: $0) })
    }
}
