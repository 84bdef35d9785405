import CarillonCore
import CarillonSimulator
import CommandSupport
import Foundation
import Logging
import Synchronization

/// Runs a sender's command once, in one situation, against a simulator of its own.
struct SenderTrial {
    /// The command's program and arguments.
    let command: [String]
    /// The time after which the command is ended.
    let timeLimit: Duration
    /// The clock of the simulators and of the time limit.
    let clock: any CarillonClock
    /// Whether the command's output goes to standard error; otherwise it is dropped.
    let showsOutput: Bool

    func run(_ situation: SenderSituation) async throws -> SenderObservation {
        var seen = try await play(situation, certificateLife: situation.certificateLife)
        // A sender that shows no certificate may know none at all, or refuse this one.
        if situation.certificateLife != nil, !seen.showsCertificate {
            seen.knowsCertificates = try await play(situation, certificateLife: .seconds(86_400 * 300)).showsCertificate
        }
        return seen
    }

    private func play(_ situation: SenderSituation, certificateLife: Duration?) async throws -> SenderObservation {
        let folder = try SimulatorDirectory.temporary("carillon-sender")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var configuration = SimulatorConfiguration(clock: clock, seed: 1, topics: ["com.example.app"])
        configuration.adminPort = 0
        situation.configure(&configuration)
        let simulator = try await APNsSimulator.start(
            configuration, logger: Logger(label: "carillon.check-sender") { _ in SwiftLogNoOpLogHandler() })
        do {
            let observation = try await observe(
                situation, simulator, seed: configuration.seed, certificateLife: certificateLife, in: folder)
            await simulator.shutdown()
            return observation
        } catch {
            await simulator.shutdown()
            throw error
        }
    }

    private func observe(
        _ situation: SenderSituation, _ simulator: APNsSimulator, seed: UInt64, certificateLife: Duration?,
        in folder: String
    ) async throws -> SenderObservation {
        let devices = InitialDevices(
            on: simulator, count: situation.deviceCount, offline: 0, fleetCount: 0,
            environment: situation.tokenEnvironment)
        let files = SimulatorDirectory(path: folder)
        try files.write(
            simulator, seed: seed, population: devices, certificateEnd: certificateLife.map { clock.now + $0 })
        let tokens = devices.tokens.values.flatMap { $0 }.compactMap { DeviceToken(hex: $0) }
        situation.prepare(simulator, tokens)
        let summary = try JSONValue(parsing: try Data(contentsOf: URL(fileURLWithPath: files.summaryPath)))
        var variables = SenderVariables(
            summary, directory: folder, process: ProcessInfo.processInfo.processIdentifier
        ).environment
        variables["APNS_DEVICE_TOKENS"] = tokens.map(\.hex).joined(separator: " ")
        variables["APNS_PAYLOAD"] = situation.payload
        if situation.needsIPv6 {
            // `localhost` may be an IPv4 address only.
            variables["APNS_HOST"] = simulator.host
            variables["APNS_URL"] = "https://\(URLAuthority.text(host: simulator.host, port: simulator.port))"
        }
        let ending = try await run(Self.environment(with: variables, hasKey: certificateLife == nil))
        let events = simulator.events()
        return SenderObservation(
            tokens: tokens, requests: events.compactMap(\.request),
            moments: events.filter { $0.request != nil }.map(\.at),
            connectionCount: events.count { if case .opened = $0.connection?.kind { true } else { false } },
            violations: events.compactMap { event in
                if case .violation(let text) = event.connection?.kind { text } else { nil }
            },
            ending: ending)
    }

    /// Returns this process's environment with variables for the sender.
    ///
    /// Without a key, none may come from the caller either.
    private static func environment(with variables: [String: String], hasKey: Bool) -> [String: String] {
        var environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
        guard !hasKey else { return environment }
        for name in ["APNS_KEY", "APNS_KEY_ID", "APNS_TEAM_ID"] { environment[name] = nil }
        return environment
    }

    /// Runs the command in an environment of its own, and waits for its end.
    private func run(_ environment: [String: String]) async throws -> SenderObservation.Ending {
        let process = Process()
        // `env` finds the program in PATH, as a shell does.
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        let output = showsOutput ? FileHandle.standardError : FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        process.terminationHandler = { _ in end.finish() }
        try process.run()
        let id = process.processIdentifier
        let ranOutOfTime = Mutex(false)
        let watch = clock.schedule(after: timeLimit) {
            ranOutOfTime.withLock { $0 = true }
            // The command may have started further processes, which are in its group.
            kill(-id, SIGKILL)
        }
        await withTaskCancellationHandler {
            for await _ in ended {}
        } onCancel: {
            kill(-id, SIGKILL)
        }
        watch.cancel()
        // The stream ends early for a cancelled task, but nobody should meet the killed command after this one.
        if Task.isCancelled { process.waitUntilExit() }
        try Task.checkCancellation()
        guard !ranOutOfTime.withLock({ $0 }) else { return .ranOutOfTime }
        let isSignalled = process.terminationReason == .uncaughtSignal
        return .exited(isSignalled ? 128 + process.terminationStatus : process.terminationStatus)
    }
}
