import Foundation
import Testing

@MainActor
@Suite("Assured delivery, over seeds")
struct AssuredDeliveryTests {
    /// The seeds of the runs: the one in `CARILLON_SEED`, else as many as `CARILLON_SEEDS` says, else 150.
    private static var seeds: ClosedRange<UInt64> {
        let variables = ProcessInfo.processInfo.environment
        if let one = variables["CARILLON_SEED"].flatMap(UInt64.init) { return one...one }
        return 1...max(1, variables["CARILLON_SEEDS"].flatMap(UInt64.init) ?? 150)
    }

    @Test("whatever is lost, late, doubled or dismissed: once on the screen at a time, and shown or in the inbox")
    func holds() async throws {
        var failed = 0
        for seed in Self.seeds {
            let (violations, runLog) = try await RandomRun.run(seed: seed)
            guard !violations.isEmpty else { continue }
            failed += 1
            Issue.record(
                """
                seed \(seed): \(violations.joined(separator: "; "))
                Replay it with CARILLON_SEED=\(seed) swift test --filter AssuredDeliveryTests
                \(failed == 1 ? runLog : "")
                """)
            if failed == 10 { return }
        }
    }
}
