import CarillonCore
import CarillonSimulator
import Testing

/// HTTP/2's numbers for SETTINGS parameters and error codes (RFC 9113 §6.5.2, §7).
private enum Wire {
    static let maxConcurrentStreams = 3
    static let initialWindowSize = 4
    static let maxFrameSize = 5
    static let maxHeaderListSize = 6
    static let noError = 0
    static let protocolError = 1
    static let refusedStream = 7
}

@Suite("HTTP/2 as APNs speaks it, seen frame by frame by the h2 library")
struct HTTP2Tests {
    @Test("Hosts: TLS 1.2 or later with ALPN h2")
    func alpn() async throws {
        try await SimulatorFixture.with { fixture in
            let transcript = try await FrameSender(fixture: fixture).run([.awaitSettings])
            #expect(transcript.events.first?["alpn"] == "h2")
            #expect(["TLSv1.2", "TLSv1.3"].contains(transcript.events.first?["version"]?.stringValue))
        }
    }

    @Test("a sender without ALPN is served all the same")
    func withoutALPN() async throws {
        try await SimulatorFixture.with { fixture in
            let transcript = try await FrameSender(fixture: fixture, alpn: false).run([
                .send([.alert(to: fixture.token())]), .awaitStreams,
            ])
            #expect(transcript.events.first?["alpn"] == .null)
            #expect(transcript.statuses == [1: 200])
        }
    }

    @Test("SETTINGS seen in the wild: the values that APNs sends, one stream at first and 1000 after a valid token")
    func settings() async throws {
        try await SimulatorFixture.with { fixture in
            let transcript = try await FrameSender(fixture: fixture).run([
                .awaitSettings, .send([.alert(to: fixture.token(), auth: nil)]), .awaitStreams,
                .send([.alert(to: fixture.token())]), .awaitStreams,
            ])
            #expect(transcript.setting(Wire.maxConcurrentStreams) == [1, 1000])
            #expect(transcript.setting(Wire.initialWindowSize) == [65_535])
            #expect(transcript.setting(Wire.maxFrameSize) == [16_384])
            #expect(transcript.setting(Wire.maxHeaderListSize) == [8000])
            #expect(transcript.statuses == [1: 403, 3: 200])
        }
    }

    @Test("JWT: before the first valid token a second stream is refused, and only that stream")
    func oneStream() async throws {
        try await SimulatorFixture.with { fixture in
            let token = fixture.token()
            let transcript = try await FrameSender(fixture: fixture).run([
                .open([.alert(to: token), .alert(to: token)]), .await(ended: 1), .finish, .awaitStreams,
                .open([.alert(to: token), .alert(to: token)]), .finish, .awaitStreams,
            ])
            #expect(transcript.resets == [3: Wire.refusedStream])
            #expect(transcript.statuses == [1: 200, 5: 200, 7: 200])
        }
    }

    @Test("GOAWAY carries the reason as JSON in its debug data, and what was sent before it is answered")
    func goAway() async throws {
        try await SimulatorFixture.with({
            $0.faults.goAwayEvery = 2
            $0.faults.goAwayReason = .idleTimeout
        }) { fixture in
            let token = fixture.token()
            let transcript = try await FrameSender(fixture: fixture).run([
                .send([.alert(to: token)]), .awaitStreams,
                .send([.alert(to: token), .alert(to: token), .alert(to: token)]), .awaitClosed,
            ])
            #expect(transcript.statuses == [1: 200, 3: 200])
            let goAway = try #require(transcript.all("goaway").first)
            #expect(goAway["last"]?.intValue == 3)
            #expect(goAway["code"]?.intValue == Wire.noError)
            #expect(goAway["text"] == #"{"reason":"IdleTimeout"}"#)
            // What came after it was not processed, so that sending it again doubles nothing.
            #expect(fixture.simulator.requests().count == 2)
        }
    }

    @Test("a malformed frame ends the connection with a GOAWAY that names a protocol error")
    func malformed() async throws {
        try await SimulatorFixture.with { fixture in
            // DATA on stream 0 is forbidden (RFC 9113 §6.1).
            let transcript = try await FrameSender(fixture: fixture).run([
                .awaitSettings, .raw("000004" + "00" + "00" + "00000000" + "61616161"), .awaitClosed,
            ])
            #expect(transcript.all("goaway").first?["code"]?.intValue == Wire.protocolError)
            let violation = await fixture.event { event -> String? in
                if case .violation(let text) = event.connection?.kind { text } else { nil }
            }
            #expect(violation != nil)
        }
    }

    @Test("a connection that TCP resets has ended, and no rule was broken")
    func cut() async throws {
        try await SimulatorFixture.with { fixture in
            let token = fixture.token()
            _ = try await FrameSender(fixture: fixture).run([.send([.alert(to: token)]), .awaitStreams, .cut])
            let end = await fixture.event { event -> ConnectionEvent.Kind? in
                switch event.connection?.kind {
                case .closed, .violation: event.connection?.kind
                case .opened, .goAway, nil: nil
                }
            }
            #expect(end == .closed)
        }
    }

    @Test("a stream that the sender takes back disturbs no other")
    func reset() async throws {
        try await SimulatorFixture.with({ $0.faults.latency = .constant(.seconds(1)) }) { fixture in
            let token = fixture.token()
            let transcript = try await fixture.whileTimePasses {
                try await FrameSender(fixture: fixture).run([
                    .send([.alert(to: token)]), .reset(1), .send([.alert(to: token)]), .awaitStreams,
                ])
            }
            #expect(transcript.statuses[3] == 200)
            #expect(transcript.resets.isEmpty)
        }
    }

    @Test("Size: a payload far beyond the flow-control window is answered 413 and not left hanging")
    func largeBody() async throws {
        try await SimulatorFixture.with { fixture in
            let body = String(repeating: "x", count: 300_000)
            let answers = try await ForeignSender(fixture: fixture).send([
                .alert(to: fixture.token(), body: body), .alert(to: fixture.token()),
            ])
            #expect(answers.map(\.status) == [413, 200])
            #expect(answers.first?.reason == "PayloadTooLarge")
        }
    }

    @Test("ten senders at once are served side by side")
    func tenConnections() async throws {
        try await SimulatorFixture.with { fixture in
            let token = fixture.token()
            let cases = (0..<10).map { _ in [ForeignSender.Request.alert(to: token), .alert(to: token)] }
            let answers = try await ForeignSender(fixture: fixture, threads: 10).send(cases)
            #expect(answers.map { $0.map(\.status) } == Array(repeating: [200, 200], count: 10))
            #expect(Set(fixture.simulator.requests().map(\.connection)).count == 10)
        }
    }
}
