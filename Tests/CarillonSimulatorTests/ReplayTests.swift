import CarillonCore
import CarillonSimulator
import Testing

@Suite("A seed replays a run")
struct ReplayTests {
    /// Everything that chance decided in one run, as text.
    private func run(seed: UInt64) async throws -> [String] {
        try await SimulatorFixture.with({
            $0.seed = seed
            $0.faults.latency = .exponential(mean: .milliseconds(200))
            $0.faults.rates = [
                .init(.reject(.tooManyRequests), probability: 0.2),
                .init(.answer(status: 500, body: ""), probability: 0.2),
            ]
        }) { fixture in
            let tokens = (0..<3).map { fixture.token(device: "phone-\($0)") }
            let sender = ForeignSender(fixture: fixture)
            let answers = try await fixture.whileTimePasses {
                try await sender.send((0..<30).map { .alert(to: tokens[$0 % 3]) })
            }
            let answered = answers.map { answer in
                "\(answer.status) \(answer.reason ?? "") \(answer.headers["apns-id"] ?? "") "
                    + (answer.headers["apns-unique-id"] ?? "")
            }
            // Requests follow one another, so that the journal's times add up the latencies.
            let times = fixture.simulator.events().filter { $0.request != nil }.map { "\($0.at)" }
            return tokens.map(\.hex) + answered + times
        }
    }

    @Test("device tokens, ids, faults and latencies are the same again with the same seed, and others with another")
    func replay() async throws {
        let first = try await run(seed: 11)
        #expect(first.count == 63)
        #expect(try await run(seed: 11) == first)
        let other = try await run(seed: 12)
        #expect(Set(first).intersection(other).count < 10)
        // Not one and the same outcome for all.
        #expect(Set(first[3..<33].map { $0.prefix(3) }).count == 3)
    }
}
