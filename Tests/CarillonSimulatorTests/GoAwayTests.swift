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
