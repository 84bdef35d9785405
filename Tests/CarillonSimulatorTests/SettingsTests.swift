import CarillonCore
import Crypto
import Testing

@testable import CarillonSimulator

@Suite("A simulator's settings as JSON, and a clock that can be put forward")
struct SettingsTests {
    private func configuration() -> SimulatorConfiguration {
        SimulatorConfiguration(clock: ManualClock(start: SimulatorFixture.start), seed: 7, topics: ["com.example.a"])
    }

    @Test("every setting that there is changes what it names")
    func all() throws {
        var changed = configuration()
        let key = P256.Signing.PrivateKey().publicKey.pemRepresentation
        let members: [String: JSONValue] = [
            "topics": ["com.example.b", "com.example.c"], "broadcast_topics": [], "host": "::1", "port": 1,
            "further_ports": [3, 0],
            "admin_port": 2, "host_names": ["api.push.apple.com"], "environment": "production",
            "doors": ["mdm", "any-token"], "team_id": "TEAM000001", "key_id": "KEY0000001",
            "further_keys": [["key_id": "KEY0000002", "public_key": .string(key), "environments": ["sandbox"]]],
            "strict": true, "tls12_only": true, "streams": 10, "streams_before_proof": 2, "idle_timeout_seconds": 1.5,
            "delivery": ["storage": "per-collapse-id"], "faults": ["go_away_every": 5], "device_token_bytes": 100,
            "journal": 0, "seed": "18446744073709551615",
        ]
        #expect(members.keys.sorted() == SimulatorConfiguration.settingNames)
        try changed.apply(members)
        #expect(changed.topics == ["com.example.b", "com.example.c"] && changed.broadcastTopics == [])
        #expect(changed.host == "::1" && changed.port == 1 && changed.adminPort == 2)
        #expect(changed.furtherPorts == [3, 0])
        #expect(changed.hostNames == ["api.push.apple.com"] && changed.environment == .production)
        #expect(changed.doors == [.mdm, .anyToken])
        #expect(changed.teamID == "TEAM000001" && changed.keyID == "KEY0000001" && changed.isStrict)
        #expect(changed.isTLS12Only)
        #expect(changed.furtherKeys.map(\.teamID) == ["TEAM000001"])
        #expect(changed.furtherKeys.map(\.environments) == [[.sandbox]])
        #expect(changed.concurrentStreams == 10 && changed.streamsBeforeProof == 2)
        #expect(changed.idleTimeout == .milliseconds(1500) && changed.delivery.storage == .perCollapseID)
        #expect(changed.faults.goAwayEvery == 5 && changed.deviceTokenByteCount == 100)
        #expect(changed.journalLimit == 0 && changed.seed == .max)
    }

    @Test(
        "a mistake is named with the setting and what would be right",
        arguments: [
            ("prot", 1, "there is no setting prot: there are admin_port, broadcast_topics"),
            ("port", 70_000, "the setting port: it must be a number from 0 to 65535"),
            ("port", "2197", "the setting port: it must be a number from 0 to 65535"),
            ("further_ports", [1, 70_000], "the setting further_ports: it must be a list of at most 16"),
            ("topics", [], "the setting topics: it must be a list of bundle ids, at least one"),
            ("topics", [1], "the setting topics: it must be a list of bundle ids, at least one"),
            ("team_id", "tëam000001", "the setting team_id: it must be 10 capital letters and digits"),
            ("idle_timeout_seconds", 0, "the setting idle_timeout_seconds: it must be a number of seconds above 0"),
            ("doors", ["window"], "the setting doors: it must be a list of any-token, cleartext, mdm, well-known"),
            ("faults", ["go_away": 1], "the setting faults: a fault plan has no go_away"),
            ("further_keys", [["key_id": "KEY0000002"]], "the setting further_keys: a key needs key_id"),
            ("further_keys", [["key": 1]], "the setting further_keys: a key has no key"),
        ] as [(String, JSONValue, String)])
    func mistakes(name: String, value: JSONValue, sentence: String) {
        var changed = configuration()
        #expect {
            try changed.apply([name: value])
        } throws: { error in
            "\(error)".hasPrefix(sentence)
        }
    }

    @Test("what is due within an advance is done, once, and what was cancelled is not")
    func advance() {
        let base = ManualClock(start: SimulatorFixture.start)
        let clock = AdvanceableClock(base)
        let done = EventLog()
        _ = clock.schedule(after: .seconds(60)) { done.add("a minute") }
        _ = clock.schedule(after: .seconds(7200)) { done.add("two hours") }
        clock.schedule(after: .seconds(30)) { done.add("never") }.cancel()
        clock.advance(by: .seconds(3600))
        base.advance(by: .zero)
        #expect(clock.now == SimulatorFixture.start + .seconds(3600))
        #expect(done.entries == ["a minute"])
        base.advance(by: .seconds(3600))
        #expect(done.entries == ["a minute", "two hours"])
        #expect(clock.uptime == base.uptime + .seconds(3600))
    }

    @Test("an advance goes from deadline to deadline: each action sees its own as now, and what it plans is done too")
    func advanceInOrder() {
        let clock = AdvanceableClock(ManualClock(start: SimulatorFixture.start))
        let done = EventLog()
        @Sendable func plan(_ count: Int) {
            guard count > 0 else { return }
            _ = clock.schedule(after: .seconds(10)) {
                done.add("\((clock.now - SimulatorFixture.start).components.seconds)")
                plan(count - 1)
            }
        }
        plan(3)
        _ = clock.schedule(after: .seconds(15)) { done.add("between") }
        clock.advance(by: .seconds(100))
        #expect(done.entries == ["10", "between", "20", "30"])
        #expect(clock.now == SimulatorFixture.start + .seconds(100))
    }

    @Test("a token goes out of date when the clock is put forward, and one signed afterwards is fresh")
    func refresh() async throws {
        let base = ManualClock(start: SimulatorFixture.start)
        let clock = AdvanceableClock(base)
        try await SimulatorFixture.with({ $0.clock = clock }) { fixture in
            let token = fixture.token()
            func push(_ serial: String) -> ForeignSender.Request {
                .alert(to: token, auth: ["serial": .string(serial)])
            }
            let before = try await ForeignSender(fixture: fixture).send([push("one")])
            #expect(before.map(\.status) == [200])
            clock.advance(by: .seconds(3601))
            // The sender lives by the machine's clock, on which no time has passed.
            let after = try await ForeignSender(fixture: fixture).send([push("two"), push("two")])
            #expect(after.map(\.status) == [200, 200])
        }
        var cached = VerifiedToken(keyID: "K", teamID: "T", issuedAt: SimulatorFixture.start)
        cached.issuedAt = clock.presentOfSenders(cached.issuedAt)
        #expect(cached.issuedAt == SimulatorFixture.start + .seconds(3601))
        let ahead = SimulatorFixture.start + .seconds(3601)
        #expect(clock.presentOfSenders(ahead) == ahead)
    }

    /// `@unchecked`: a manual clock calls on the test's own thread.
    private final class EventLog: @unchecked Sendable {
        private(set) var entries: [String] = []
        func add(_ entry: String) { entries.append(entry) }
    }
}
