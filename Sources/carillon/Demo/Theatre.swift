import CarillonApp
import CarillonCore
import CarillonSimulator
import Foundation
import Logging

/// Builds the stage, plays the steps on it, and clears it away whatever happens.
@MainActor
struct Theatre {
    let folder: URL
    let sabotage: Sabotage?

    /// Plays the steps in order, up to the first that fails.
    ///
    /// - Parameter report: hears of each step as soon as it is over.
    /// - Throws: when the stage cannot be built; a step that fails is in its report.
    func play(_ steps: [Step], report: (StepReport) throws -> Void) async throws -> [StepReport] {
        let clock = SystemClock()
        let simulator = try await startSimulator(clock: clock)
        let house: ServiceHouse
        do {
            house = try await ServiceHouse(in: folder, apns: simulator, sabotage: sabotage)
        } catch {
            await simulator.shutdown()
            throw error
        }
        var reports: [StepReport] = []
        do {
            let stage = try makeStage(house: house, simulator: simulator, clock: clock)
            for (index, step) in steps.enumerated() {
                let result = await play(step, number: index + 1, on: stage)
                reports.append(result)
                try report(result)
                if result.failure != nil { break }
                if index == 0, sabotage == .simulatorStopped {
                    await simulator.stopListening()
                    await simulator.closeAllConnections()
                }
            }
        } catch {
            await house.stop()
            await simulator.shutdown()
            throw error
        }
        await house.stop()
        await simulator.shutdown()
        return reports
    }

    private func play(_ step: Step, number: Int, on stage: Stage) async -> StepReport {
        let start = stage.clock.now
        stage.beginStep()
        var failure: String?
        do {
            try await step.play(stage)
        } catch {
            failure = "\(error)"
        }
        return StepReport(
            number: number, title: step.title, observed: stage.observed, failure: failure,
            duration: stage.clock.now - start)
    }

    /// APNs on a bad day: what has expired is handed over all the same, as a best-effort service may.
    private func startSimulator(clock: SystemClock) async throws -> APNsSimulator {
        var configuration = SimulatorConfiguration(
            clock: clock, seed: UInt64.random(in: .min ... .max), topics: [Stage.topic])
        configuration.delivery.expiry = .late
        let logger = Logger(label: "carillon.demo") { _ in SwiftLogNoOpLogHandler() }
        return try await APNsSimulator.start(configuration, logger: logger)
    }

    private func makeStage(house: ServiceHouse, simulator: APNsSimulator, clock: SystemClock) throws -> Stage {
        func phone(_ id: String, _ name: String) -> DemoPhone {
            DemoPhone(
                id: id, name: name, folder: folder.appendingPathComponent("phones"), house: house,
                simulator: simulator, recall: sabotage == .recallOff ? .disabled : .enabled, clock: clock)
        }
        return try Stage(
            house: house, simulator: simulator,
            phones: (phone("phone-1", "Ada's iPhone"), phone("phone-2", "Ada's other iPhone")), sabotage: sabotage,
            clock: clock)
    }
}
