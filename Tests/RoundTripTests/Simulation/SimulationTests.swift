import CarillonCore
import Foundation
import TestSupport
import Testing

/// The whole system under everything that can happen to its processes, judged at APNs and on the phones.
///
/// In `make test` one round of a drawn seed; `make simulate SEED=… MINUTES=…` plays for longer.
@MainActor @Suite("Simulation", .serialized) struct SimulationTests {
    nonisolated private static let setting = ProcessInfo.processInfo.environment
    private static let seeds = Seeds(fixed: [], drawn: 1, filter: "SimulationTests", variable: "SEED")

    @Test("the same seed gives the same round, and every round has every fault")
    func seeds() {
        #expect(SimulationRound(seed: 5) == SimulationRound(seed: 5))
        #expect(SimulationRound(seed: 5) != SimulationRound(seed: 6))
        var moments: Set<FreezeMoment> = []
        for seed in UInt64(0)..<100 {
            let steps = SimulationRound(seed: seed).steps
            for program in SimulatedProgram.allCases { #expect(steps.contains(.kill(program)), "seed \(seed)") }
            for disturbance in APNsDisturbance.allCases { #expect(steps.contains(.disturbAPNs(disturbance))) }
            let frozen = steps.compactMap { if case .freeze(_, let moment) = $0 { moment } else { nil } }
            #expect(frozen.count == 1, "seed \(seed)")
            moments.formUnion(frozen)
            #expect(steps.contains { if case .fillDisk = $0 { true } else { false } })
        }
        #expect(moments == Set(FreezeMoment.allCases))
    }

    @Test(
        "a broadcast whose senders are killed a dozen times reaches each device",
        .enabled(if: setting["MINUTES"] != nil, "only in make simulate"))
    func killedBroadcast() async throws {
        var generator = SeededGenerator(seed: Self.seeds.all.first ?? 1)
        let devices = 20_000
        let kills = (0..<12).map { _ in Int.random(in: 1..<devices, using: &generator) }.sorted()
        try await KilledBroadcast(devices: devices, kills: kills, chunkDevices: 4096).play()
    }

    @Test("nothing promised is lost, nothing goes twice uncounted, and what is taken back is gone from the phones")
    func rounds() async throws { try await Self.play(on: nil, minutes: Self.minutes) }

    @Test(
        "the same on PostgreSQL, whose server crashes in between",
        .enabled(if: setting["MINUTES"] != nil, "only in make simulate"))
    func roundsOnPostgreSQL() async throws {
        try await Self.play(on: PostgreSQLForTests(suffix: "simulation"), minutes: Self.minutes)
    }

    private static let minutes = setting["MINUTES"].flatMap(Double.init)

    private static func play(on server: PostgreSQLForTests?, minutes: Double?) async throws {
        let seed = seeds.all.first ?? 1
        let (clock, start) = (SystemClock(), SystemClock().now)
        try await SimulatedSystem.run(on: server) { system in
            var generator = SeededGenerator(seed: seed)
            var number = 0
            repeat {
                let drawn = generator.next()
                do {
                    try await system.play(SimulationRound(seed: drawn), name: "r\(number)")
                } catch {
                    throw SimulationFailure("round \(number): \(error); \(seeds.again(seed))")
                }
                number += 1
                if minutes != nil {
                    print("\(Int((clock.now - start).components.seconds)) s: \(system.tally.sentence)")
                }
            } while clock.now - start < .seconds((minutes ?? 0) * 60)
        }
    }
}
