import CarillonCore
import CarillonSimulator
import Foundation
import Testing

@Suite("Faults on purpose")
struct FaultTests {
    @Test("scripted answers come in their order, then the script is over")
    func scripted() async throws {
        try await SimulatorFixture.with { fixture in
            let token = fixture.token()
            fixture.simulator.faults.script([.reject(.tooManyRequests), nil, .reject(.serviceUnavailable)], for: token)
            let answers = try await ForeignSender(fixture: fixture).send(
                Array(repeating: .alert(to: token), count: 4))
            #expect(answers.map(\.status) == [429, 200, 503, 200])
            #expect(answers.map(\.reason) == ["TooManyRequests", nil, "ServiceUnavailable", nil])
        }
    }

    @Test("every reason that Apple documents can be provoked, with its status and an apns-id")
    func everyReason() async throws {
        try await SimulatorFixture.with { fixture in
            let token = fixture.token()
            fixture.simulator.faults.script(RejectionReason.allCases.map { .reject($0) }, for: token)
            let answers = try await ForeignSender(fixture: fixture).send(
                RejectionReason.allCases.map { _ in .alert(to: token) })
            #expect(answers.map(\.reason) == RejectionReason.allCases.map(\.rawValue))
            #expect(answers.map(\.status) == RejectionReason.allCases.map(\.status))
            #expect(answers.allSatisfy { $0.headers["apns-id"] != nil })
            #expect(answers.allSatisfy { ($0.status == 410) == ($0.timestamp != nil) })
        }
    }

    @Test("a lost answer was delivered all the same, a reset stream was not")
    func lost() async throws {
        try await SimulatorFixture.with { fixture in
            let token = fixture.token()
            fixture.simulator.faults.script([nil, .loseAnswer, .reset(code: 7), nil], for: token)
            let transcript = try await FrameSender(fixture: fixture).run([
                .send([.alert(to: token)]), .awaitStreams,
                .send([.alert(to: token), .alert(to: token), .alert(to: token)]), .await(ended: 3),
            ])
            #expect(transcript.resets == [5: 7])
            #expect(transcript.statuses == [1: 200, 7: 200])
            #expect(
                fixture.deviceEvents.map(\.kind).filter { if case .stored = $0 { true } else { false } }.count == 3)
        }
    }

    @Test("latency passes by the simulator's clock")
    func latency() async throws {
        try await SimulatorFixture.with({ $0.faults.latency = .constant(.seconds(30)) }) { fixture in
            let token = fixture.token()
            let answers = try await fixture.whileTimePasses {
                try await ForeignSender(fixture: fixture).send([.alert(to: token)])
            }
            #expect(answers.map(\.status) == [200])
            #expect(fixture.clock.now == SimulatorFixture.start + .seconds(30))
        }
    }

    @Test("rates follow the seed: the same seed fails the same requests")
    func rates() async throws {
        func run(seed: UInt64) async throws -> [Int] {
            try await SimulatorFixture.with({
                $0.seed = seed
                $0.faults.rates = [.init(.reject(.internalServerError), probability: 0.3)]
            }) { fixture in
                let token = fixture.token()
                return try await ForeignSender(fixture: fixture).send(
                    Array(repeating: .alert(to: token), count: 40)
                ).map(\.status)
            }
        }
        let first = try await run(seed: 1)
        #expect(Set(first) == [200, 500])
        let (again, other) = (try await run(seed: 1), try await run(seed: 2))
        #expect(again == first)
        #expect(other != first)
    }

    @Test("a skewed clock makes a fresh token expired")
    func skew() async throws {
        try await SimulatorFixture.with({ $0.faults.clockSkew = .seconds(3601) }) { fixture in
            let answers = try await ForeignSender(fixture: fixture).send([.alert(to: fixture.token())])
            #expect(answers.map(\.reason) == ["ExpiredProviderToken"])
        }
    }

    @Test("a refused token puts the connection back to one stream, where the plan says so")
    func backToOne() async throws {
        try await SimulatorFixture.with({ $0.faults.limitsStreamsAfterRejection = true }) { fixture in
            let token = fixture.token()
            let transcript = try await FrameSender(fixture: fixture).run([
                .send([.alert(to: token)]), .awaitStreams, .send([.alert(to: token, auth: nil)]), .awaitStreams,
                .send([.alert(to: token)]), .awaitStreams,
            ])
            #expect(transcript.setting(3) == [1, 1000, 1, 1000])
            #expect(transcript.statuses == [1: 200, 3: 403, 5: 200])
        }
    }

    @Test("refusals in a row slow a sender down to one stream, then end its connection")
    func patience() async throws {
        try await SimulatorFixture.with({ $0.faults.patience = .init(slowAfter: 2, closeAfter: 3) }) { fixture in
            let token = fixture.token()
            let wrong = ForeignSender.Request.alert(to: token, replacing: ["apns-priority": "7"])
            let transcript = try await FrameSender(fixture: fixture).run([
                .send([.alert(to: token)]), .awaitStreams, .send([wrong]), .awaitStreams, .send([wrong]), .awaitStreams,
                .send([wrong]), .awaitClosed,
            ])
            #expect(transcript.setting(3) == [1, 1000, 1])
            #expect(transcript.statuses == [1: 200, 3: 400, 5: 400, 7: 400])
            #expect(transcript.all("goaway").count == 1)
        }
    }

    @Test("a script for whichever request comes next waits behind a token's own, and its answer may have Retry-After")
    func nextAnswers() async throws {
        try await SimulatorFixture.with { fixture in
            let (first, second) = (fixture.token(), fixture.token(device: "second"))
            fixture.simulator.faults.script([.answer(status: 503, body: "", retryAfter: .seconds(30)), nil])
            fixture.simulator.faults.script([.reject(.tooManyRequests)], for: first)
            let answers = try await ForeignSender(fixture: fixture).send([
                .alert(to: first), .alert(to: second), .alert(to: first), .alert(to: second),
            ])
            #expect(answers.map(\.status) == [429, 503, 200, 200])
            #expect(answers.map { $0.headers["retry-after"] } == [nil, "30", nil, nil])
        }
    }

    @Test("any status and body can be answered, for senders that must cope with what nobody documented")
    func undocumented() async throws {
        try await SimulatorFixture.with { fixture in
            let token = fixture.token()
            let body = #"{"reason":"BadEnvironmentKeyInToken"}"#
            fixture.simulator.faults.script(
                [.answer(status: 403, body: body), .answer(status: 502, body: "<html>")], for: token)
            let answers = try await ForeignSender(fixture: fixture).send([.alert(to: token), .alert(to: token)])
            #expect(answers.map(\.status) == [403, 502])
            #expect(answers.map(\.body) == [body, "<html>"])
        }
    }

    @Test("an idle connection is told to go with IdleTimeout, and a busy one is not")
    func idleTimeout() async throws {
        try await SimulatorFixture.with({ $0.idleTimeout = .seconds(3600) }) { fixture in
            let token = fixture.token()
            let transcript = try await fixture.whileTimePasses(waitsForPush: true) {
                try await FrameSender(fixture: fixture).run([.send([.alert(to: token)]), .awaitClosed])
            }
            #expect(transcript.statuses == [1: 200])
            #expect(transcript.all("goaway").first?["text"] == #"{"reason":"IdleTimeout"}"#)
        }
    }

    @Test("cutting the connection leaves the sender without answer or GOAWAY")
    func cut() async throws {
        try await SimulatorFixture.with { fixture in
            let token = fixture.token()
            fixture.simulator.faults.script([.cut], for: token)
            let transcript = try await FrameSender(fixture: fixture).run([.send([.alert(to: token)]), .awaitClosed])
            #expect(transcript.statuses.isEmpty)
            #expect(transcript.all("goaway").isEmpty)
        }
    }
}
