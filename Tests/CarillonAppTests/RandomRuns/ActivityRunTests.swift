import TestSupport
import Testing

@MainActor
@Suite("Live Activities, over seeds", .serialized)
struct ActivityRunTests {
    private nonisolated static let seeds = Seeds(fixed: 1...20, drawn: 10, filter: "ActivityRunTests")

    @Test(
        "whatever is lost, late, doubled or killed: the newest state at the end, once, and never an older one after a newer",
        arguments: seeds.all)
    func holds(_ seed: UInt64) async throws {
        let (violations, matchCount, runLog) = try await ActivityRun.run(seed: seed)
        #expect(matchCount > 0)
        guard !violations.isEmpty else { return }
        Issue.record("\(violations.joined(separator: "; "))\n\(Self.seeds.again(seed))\n\(runLog)")
    }
}
