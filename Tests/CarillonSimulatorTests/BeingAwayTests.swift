import CarillonCore
import CarillonSimulator
import Foundation
import Testing

@Suite("A simulator that goes away")
struct BeingAwayTests {
    @Test("it can be taken away and comes back on the same port")
    func awayAndBack() async throws {
        // Below those that the system gives to whoever asks for any port: one of these may be taken while nobody listens.
        let port = 20_000 + Int(ProcessInfo.processInfo.processIdentifier) % 10_000
        try await SimulatorFixture.with({ $0.port = port }) { fixture in
            let sender = ForeignSender(fixture: fixture)
            let token = fixture.token()
            await fixture.simulator.stopListening()
            await fixture.simulator.closeAllConnections()
            let refused = try await sender.send([.alert(to: token)])
            #expect(refused.first?.error?.contains("ConnectError") == true)
            try await fixture.simulator.resumeListening()
            let answers = try await sender.send([.alert(to: token)])
            #expect(answers.map(\.status) == [200])
        }
    }

    @Test("it may be stopped and shut down by several at once, and again", .timeLimit(.minutes(5)))
    func endings() async throws {
        try await SimulatorFixture.with({ $0.adminPort = 0 }) { fixture in
            let simulator = fixture.simulator
            await withDiscardingTaskGroup { group in
                for _ in 0..<3 { group.addTask { await simulator.stopListening() } }
            }
            await withDiscardingTaskGroup { group in
                for _ in 0..<3 { group.addTask { await simulator.shutdown() } }
                group.addTask { await simulator.stopListening() }
            }
            await simulator.shutdown()
            await #expect(throws: Never.self) { try await simulator.resumeListening() }
            #expect(simulator.connectionCount == 0)
        }
    }

    @Test("a port that is taken is a clear error")
    func taken() async throws {
        try await SimulatorFixture.with { fixture in
            let port = fixture.simulator.port
            await #expect(throws: SimulatorError.self) {
                try await SimulatorFixture.with({ $0.port = port }) { _ in }
            }
        }
    }
}
