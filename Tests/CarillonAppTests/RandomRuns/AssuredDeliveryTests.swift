import TestSupport
import Testing

@MainActor
@Suite("Assured delivery, over seeds")
struct AssuredDeliveryTests {
    private static let seeds = Seeds(
        fixed: Array(1...20) + [344_615_035, 901_550_529], drawn: 18, filter: "AssuredDeliveryTests")

    @Test("whatever is lost, late, doubled or dismissed: once on the screen at a time, and shown or in the inbox")
    func holds() async throws {
        var failed = 0
        for seed in Self.seeds.all {
            let (violations, runLog) = try await RandomRun.run(seed: seed)
            guard !violations.isEmpty else { continue }
            failed += 1
            Issue.record(
                """
                \(violations.joined(separator: "; "))
                \(Self.seeds.again(seed))
                \(failed == 1 ? runLog : "")
                """)
            if failed == 10 { return }
        }
    }
}
