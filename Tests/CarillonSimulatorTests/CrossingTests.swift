import CarillonCore
import CarillonSimulator
import Testing

@Suite("What a sender has under way when it is told to go, in raw frames", .serialized)
struct CrossingTests {
    private struct Summary {
        var accepted: Int
        var refused: Int
        var connections: Int
        var problems: [String]
    }

    private func run(
        _ fixture: SimulatorFixture, rounds: Int, requests: Int, chunk: Int, cold: Bool = false
    ) async throws -> Summary {
        let tokens = (0..<7).map { JSONValue.string(fixture.token(device: "phone-\($0)").hex) }
        let output = try await ForeignProgram.python(
            "crossing.py",
            input: [
                "host": .string(fixture.simulator.host), "port": .int(Int64(fixture.simulator.port)),
                "ca": .string(fixture.simulator.caCertificatePEM),
                "authorization": .string(try await ForeignSender(fixture: fixture).bearer()),
                "topic": .string(SimulatorFixture.bundleID), "tokens": .array(tokens), "rounds": .int(Int64(rounds)),
                "requests": .int(Int64(requests)), "chunk": .int(Int64(chunk)), "cold": .bool(cold),
            ])
        return Summary(
            accepted: output["accepted"]?.intValue ?? -1, refused: output["refused"]?.intValue ?? -1,
            connections: output["connections"]?.intValue ?? -1,
            problems: (output["problems"]?.arrayValue ?? []).compactMap(\.stringValue))
    }

    private func violations(_ fixture: SimulatorFixture) -> [String] {
        fixture.simulator.events().compactMap { event in
            if case .violation(let text) = event.connection?.kind { text } else { nil }
        }
    }

    @Test(
        "every stream up to a GOAWAY's last is answered and none beyond it, in a hundred rounds",
        arguments: [(16_384, 100), (700, 20), (61, 20)])
    func goAway(chunk: Int, rounds: Int) async throws {
        try await SimulatorFixture.with({
            $0.faults.goAwayEvery = 20
            $0.journalLimit = 100_000
        }) { fixture in
            let summary = try await run(fixture, rounds: rounds, requests: 30, chunk: chunk)
            #expect(summary.problems.isEmpty)
            #expect(summary.accepted == rounds * 30)
            #expect(summary.connections == rounds * 2)
            // What was not answered was not processed either.
            #expect(fixture.simulator.requests().count == summary.accepted)
            #expect(violations(fixture).isEmpty)
        }
    }

    @Test(
        "a cold sender has a thousand requests under way: all but the first are refused, and none is lost",
        arguments: [16_384, 997])
    func cold(chunk: Int) async throws {
        try await SimulatorFixture.with({ $0.journalLimit = 100_000 }) { fixture in
            let summary = try await run(fixture, rounds: 2, requests: 1000, chunk: chunk, cold: true)
            #expect(summary.problems.isEmpty)
            #expect(summary.accepted == 2000)
            #expect(summary.refused == 2 * 999)
            #expect(summary.connections == 2)
            #expect(fixture.simulator.requests().count == 2000)
            #expect(violations(fixture).isEmpty)
        }
    }
}
