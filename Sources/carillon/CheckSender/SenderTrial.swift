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
        let folder = try SimulatorDirectory.temporary("carillon-sender")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var configuration = SimulatorConfiguration(clock: clock, seed: 1, topics: ["com.example.app"])
        configuration.adminPort = 0
        situation.configure(&configuration)
        let simulator = try await APNsSimulator.start(
            configuration, logger: Logger(label: "carillon.check-sender") { _ in SwiftLogNoOpLogHandler() })
        do {
            let observation = try await observe(situation, simulator, seed: configuration.seed, in: folder)
            await simulator.shutdown()
            return observation
        } catch {
            await simulator.shutdown()
            throw error
        }
    }

    private func observe(
        _ situation: SenderSituation, _ simulator: APNsSimulator, seed: UInt64, in folder: String
    ) async throws -> SenderObservation {
        let devices = InitialDevices(on: simulator, count: situation.deviceCount, offline: 0, fleetCount: 0)
        let files = SimulatorDirectory(path: folder)
        try files.write(simulator, seed: seed, population: devices)
        let tokens = devices.tokens.values.flatMap { $0 }.compactMap { DeviceToken(hex: $0) }
        situation.prepare(simulator, tokens)
        let summary = try JSONValue(parsing: try Data(contentsOf: URL(fileURLWithPath: files.summaryPath)))
        var environment = SenderVariables(
            summary, directory: folder, process: ProcessInfo.processInfo.processIdentifier
        ).environment
        environment["APNS_DEVICE_TOKENS"] = tokens.map(\.hex).joined(separator: " ")
        if situation.needsIPv6 {
            // `localhost` may be an IPv4 address only.
            environment["APNS_HOST"] = simulator.host
            environment["APNS_URL"] = "https://\(URLAuthority.text(host: simulator.host, port: simulator.port))"
        }
        let ending = try await run(environment)
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

    /// Runs the command with variables of its own, and waits for its end.
    private func run(_ variables: [String: String]) async throws -> SenderObservation.Ending {
        let process = Process()
        // `env` finds the program in PATH, as a shell does.
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
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
        try Task.checkCancellation()
        guard !ranOutOfTime.withLock({ $0 }) else { return .ranOutOfTime }
        let isSignalled = process.terminationReason == .uncaughtSignal
        return .exited(isSignalled ? 128 + process.terminationStatus : process.terminationStatus)
    }
}
