import TestSupport
import Testing

@MainActor
@Suite("Assured delivery, over seeds", .serialized)
struct AssuredDeliveryTests {
    private nonisolated static let seeds = Seeds(
        fixed: Array(1...20) + [344_615_035, 901_550_529], drawn: 18, filter: "AssuredDeliveryTests")

    @Test(
        "whatever is lost, late, doubled or dismissed: once on the screen at a time, and shown or in the inbox",
        arguments: seeds.all)
    func holds(_ seed: UInt64) async throws {
        let (violations, runLog) = try await RandomRun.run(seed: seed)
        guard !violations.isEmpty else { return }
        Issue.record("\(violations.joined(separator: "; "))\n\(Self.seeds.again(seed))\n\(runLog)")
    }
}
