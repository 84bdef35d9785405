import CarillonCore
import CarillonSimulator
import Testing

@Suite("GOAWAY: what its last stream says")
struct GoAwayTests {
    @Test("a connection error names the last stream that was processed")
    func connectionError() async throws {
        try await SimulatorFixture.with { fixture in
            let transcript = try await FrameSender(fixture: fixture).run([
                .send([.alert(to: fixture.token())]), .awaitStreams,
                // DATA on stream 0 is forbidden (RFC 9113 §6.1).
                .raw("000004" + "00" + "00" + "00000000" + "61616161"), .awaitClosed,
            ])
            let goAway = try #require(transcript.all("goaway").first)
            #expect(goAway["code"]?.intValue == 1)
            #expect(goAway["last"]?.intValue == 1)
        }
    }

    @Test("a second GOAWAY raises nothing, and a request after the first one is neither answered nor processed")
    func twice() async throws {
        // Without it, no request would ever come.
        _ = try ForeignProgram.interpreter()
        try await SimulatorFixture.with { fixture in
            let token = fixture.token()
            async let transcript = FrameSender(fixture: fixture).run([
                .send([.alert(to: token)]), .awaitStreams, .awaitClosed,
            ])
            _ = await fixture.event { $0.request }
            await fixture.simulator.goAway(.shutdown, closing: false)
            await fixture.simulator.goAway(nil, closing: true)
            let seen = try await transcript
            #expect(seen.all("goaway").map { $0["last"]?.intValue } == [1, 1])
            #expect(seen.statuses == [1: 200])
        }
    }

    @Test("the fault go-away leaves its request and all later ones out of the last stream, and processes none of them")
    func unprocessed() async throws {
        try await SimulatorFixture.with { fixture in
            let token = fixture.token()
            fixture.simulator.faults.script([nil, .goAway])
            let transcript = try await FrameSender(fixture: fixture).run([
                .send([.alert(to: token)]), .awaitStreams,
                .send([.alert(to: token), .alert(to: token), .alert(to: token)]), .awaitClosed,
            ])
            #expect(transcript.statuses == [1: 200])
            #expect(transcript.all("goaway").map { $0["last"]?.intValue } == [1])
            #expect(fixture.simulator.requests().map(\.decision) == [.accepted, .failed(.goAway)])
        }
    }

    @Test("the fault go-away on a connection's first request names no stream at all")
    func unprocessedFirst() async throws {
        try await SimulatorFixture.with { fixture in
            fixture.simulator.faults.script([.goAway])
            let transcript = try await FrameSender(fixture: fixture).run([
                .send([.alert(to: fixture.token())]), .awaitClosed,
            ])
            #expect(transcript.all("goaway").map { $0["last"]?.intValue } == [0])
            #expect(transcript.statuses.isEmpty)
        }
    }

    @Test("where a later stream was processed, the fault go-away refuses its own, because the last stream includes it")
    func unprocessedBefore() async throws {
        try await SimulatorFixture.with({ $0.faults.latency = .constant(.seconds(1)) }) { fixture in
            let (first, second) = (fixture.token(), fixture.token(device: "other"))
            fixture.simulator.faults.script([.goAway], for: first)
            let transcript = try await fixture.whileTimePasses {
                try await FrameSender(fixture: fixture).run([
                    .send([.alert(to: second)]), .awaitStreams, .send([.alert(to: first), .alert(to: second)]),
                    .awaitClosed,
                ])
            }
            #expect(transcript.resets == [3: 7])
            #expect(fixture.simulator.requests().map(\.decision) == [.accepted, .failed(.goAway), .accepted])
            #expect(transcript.all("goaway").map { $0["last"]?.intValue } == [5])
        }
    }

    @Test("a request whose body never comes keeps no connection from being idle")
    func halfRequest() async throws {
        try await SimulatorFixture.with({ $0.idleTimeout = .seconds(3600) }) { fixture in
            let token = fixture.token()
            let transcript = try await fixture.whileTimePasses(waitsForPush: true) {
                try await FrameSender(fixture: fixture).run([
                    .send([.alert(to: token)]), .awaitStreams, .open([.alert(to: token)]), .awaitSettings,
                    .awaitGoAway,
                ])
            }
            #expect(transcript.all("goaway").first?["text"] == #"{"reason":"IdleTimeout"}"#)
        }
    }
}
