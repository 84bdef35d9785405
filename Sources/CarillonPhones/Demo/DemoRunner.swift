import CarillonApp
import CarillonCore
import CarillonSimulator
import Foundation
import Logging

/// Starts the components of the demo, runs its steps, and stops everything, also after an error.
@MainActor
struct DemoRunner {
    let folder: URL
    let sabotage: Sabotage?

    /// Runs the steps in order, up to the first that fails.
    ///
    /// - Parameters:
    ///   - steps: the steps of the scenario.
    ///   - report: receives the result of each step when the step has ended.
    /// - Returns: the results of the steps that ran.
    /// - Throws: an error if the demo cannot be set up. A failed step is only reported.
    func run(_ steps: [DemoStep], report: (DemoStepReport) throws -> Void) async throws -> [DemoStepReport] {
        let clock = SystemClock()
        let simulator = try await startSimulator(clock: clock)
        let service: DemoService
        do {
            service = try await DemoService(in: folder, apns: simulator, sabotage: sabotage)
        } catch {
            await simulator.shutdown()
            throw error
        }
        var reports: [DemoStepReport] = []
        do {
            let demo = try makeEnvironment(service: service, simulator: simulator, clock: clock)
            for (index, step) in steps.enumerated() {
                let result = await run(step, number: index + 1, on: demo)
                reports.append(result)
                try report(result)
                if result.failure != nil { break }
                if index == 0, sabotage == .simulatorStopped {
                    await simulator.stopListening()
                    await simulator.closeAllConnections()
                }
            }
        } catch {
            await service.stop()
            await simulator.shutdown()
            throw error
        }
        await service.stop()
        await simulator.shutdown()
        return reports
    }

    private func run(_ step: DemoStep, number: Int, on demo: DemoEnvironment) async -> DemoStepReport {
        let start = demo.clock.uptime
        demo.beginStep()
        var failure: String?
        do {
            try await step.run(demo)
        } catch {
            failure = "\(error)"
        }
        return DemoStepReport(
            number: number, title: step.title, observed: demo.observed, failure: failure,
            duration: demo.clock.uptime - start)
    }

    /// Starts a simulated APNs that delivers expired pushes too.
    ///
    /// This tests the SDK's own check of the expiry.
    private func startSimulator(clock: SystemClock) async throws -> APNsSimulator {
        var configuration = SimulatorConfiguration(
            clock: clock, seed: UInt64.random(in: .min ... .max), topics: [DemoEnvironment.topic])
        configuration.delivery.expiry = .late
        let logger = Logger(label: "carillon.demo") { _ in SwiftLogNoOpLogHandler() }
        return try await APNsSimulator.start(configuration, logger: logger)
    }

    private func makeEnvironment(service: DemoService, simulator: APNsSimulator, clock: SystemClock) throws
        -> DemoEnvironment
    {
        func phone(_ id: String, _ name: String) -> DemoPhone {
            DemoPhone(
                id: id, name: name, folder: folder.appendingPathComponent("phones"), service: service,
                simulator: simulator, carriesOutRecalls: sabotage != .recallOff, clock: clock)
        }
        return try DemoEnvironment(
            service: service, simulator: simulator,
            phones: (phone("phone-1", "Ada's iPhone"), phone("phone-2", "Ada's other iPhone")), sabotage: sabotage,
            clock: clock)
    }
}
