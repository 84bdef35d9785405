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

    @Test("with two ports, as Apple's servers have, each takes pushes, both go away, and both come back")
    func twoPorts() async throws {
        let port = 30_000 + Int(ProcessInfo.processInfo.processIdentifier) % 2_000
        try await SimulatorFixture.with({ ($0.port, $0.furtherPorts) = (port, [port + 1]) }) { fixture in
            let token = fixture.token()
            #expect(fixture.simulator.port == port && fixture.simulator.ports == [port, port + 1])
            func statuses() async throws -> [Int] {
                var statuses: [Int] = []
                for port in fixture.simulator.ports {
                    let answers = try await ForeignSender(fixture: fixture, port: port).send([.alert(to: token)])
                    statuses += answers.map { $0.error?.contains("ConnectError") == true ? -1 : $0.status }
                }
                return statuses
            }
            #expect(try await statuses() == [200, 200])
            await fixture.simulator.stopListening()
            await fixture.simulator.closeAllConnections()
            #expect(try await statuses() == [-1, -1])
            try await fixture.simulator.resumeListening()
            #expect(try await statuses() == [200, 200])
        }
    }

    @Test("where the second port is taken, the first one is free again")
    func secondPortTaken() async throws {
        let port = 18_000 + Int(ProcessInfo.processInfo.processIdentifier) % 2_000
        try await SimulatorFixture.with { fixture in
            let taken = fixture.simulator.port
            let error = await #expect(throws: SimulatorError.self) {
                try await SimulatorFixture.with({ ($0.port, $0.furtherPorts) = (port, [taken]) }) { _ in }
            }
            #expect("\(String(describing: error))".contains("\(taken)"))
            try await SimulatorFixture.with({ $0.port = port }) { _ in }
        }
    }

    @Test("its certificate has the names and addresses of hostNames", arguments: ["127.0.0.2", "127.0.0.3"])
    func names(address: String) async throws {
        try await SimulatorFixture.with({ ($0.host, $0.hostNames) = ("0.0.0.0", ["apns.test", "127.0.0.2"]) }) {
            fixture in
            let answers = try await ForeignSender(fixture: fixture, host: address).send([.alert(to: fixture.token())])
            #expect((answers.first?.status == 200) == (address == "127.0.0.2"))
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
