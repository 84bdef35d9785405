import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("A device token has one holder", .serialized)
struct StoreTokenTests {
    private func holder(_ engine: StoreEngine) async throws -> Store {
        let store = try await engine.make()
        try await store.enrol(device("old", user: "u1", token: "aa"), at: noon)
        return store
    }

    private func claim(_ store: Store, at now: Timestamp) async throws -> ClaimedDelivery? {
        try await store.claim(everything(), at: now).deliveries.first { $0.purpose == .tokenClaim }
    }

    @Test(
        "who registers a token that another holds does not get it, and the holder stays",
        arguments: StoreEngine.allCases)
    func claimed(_ engine: StoreEngine) async throws {
        let store = try await holder(engine)
        _ = try await store.register(device("new", user: "u2", token: "aa", secret: 2), at: noon)
        #expect(try await store.device("old")?.state == .active)
        let new = try #require(try await store.device("new"))
        #expect(new.state == .awaitingToken)
        #expect(new.token == nil && new.claimedToken == testToken("aa"))
        _ = try await store.accept(try message("m1", to: .users(["u1", "u2"])), at: noon)
        let sent = try await store.claim(everything(), at: noon).deliveries.filter { $0.message != nil }
        #expect(sent.map(\.device) == ["old"])
    }

    @Test(
        "the nonce that was pushed to the token gives it to the newcomer, and the former holder has nothing left",
        arguments: StoreEngine.allCases)
    func nonce(_ engine: StoreEngine) async throws {
        let store = try await holder(engine)
        _ = try await store.register(device("new", user: "u2", token: "aa", secret: 2, nonce: "n1"), at: noon)
        let push = try #require(try await claim(store, at: noon + .seconds(1)))
        _ = try await store.accept(try message("m1", to: .users(["u1"])), at: noon)
        #expect(push.token == testToken("aa"))
        #expect(push.device == "new")
        #expect(push.nonce == "n1")
        #expect(try await store.claimToken(for: "new", nonce: "guess", at: noon) == .unknown)
        guard case .registered(let new) = try await store.claimToken(for: "new", nonce: "n1", at: noon) else {
            Issue.record("the nonce was refused")
            return
        }
        #expect(new.state == .active && new.token == testToken("aa") && new.claimedToken == nil)
        #expect(new.confirmed == noon, "a push to the token has arrived")
        let old = try #require(try await store.device("old"))
        #expect(old.state == .superseded && old.token == nil && old.user == nil)
        #expect(try await store.kinds("m1", on: "old").last == .cancelled)
        #expect(try await store.claimToken(for: "new", nonce: "n1", at: noon) == .unknown, "once is enough")
    }

    @Test("a nonce is good for a day", arguments: StoreEngine.allCases)
    func lateNonce(_ engine: StoreEngine) async throws {
        let store = try await holder(engine)
        _ = try await store.register(device("new", token: "aa", secret: 2, nonce: "n1"), at: noon)
        let late = noon + StoreLimits.tokenClaimLifetime + .seconds(1)
        #expect(try await store.claimToken(for: "new", nonce: "n1", at: late) == .unknown)
    }

    @Test("whoever asks again and again makes one push a minute", arguments: StoreEngine.allCases)
    func pushes(_ engine: StoreEngine) async throws {
        let store = try await holder(engine)
        for index in 0..<20 {
            let asking = device("new\(index)", token: "aa", secret: 2, nonce: "n\(index)")
            _ = try await store.register(asking, at: noon + .seconds(index))
        }
        let at = noon + .seconds(30)
        let claims = try await store.claim(everything(), at: at).deliveries.filter { $0.purpose == .tokenClaim }
        #expect(claims.map(\.device) == ["new0"])
        let later = noon + .seconds(90)
        _ = try await store.register(device("new7", token: "aa", secret: 2, nonce: "later"), at: later)
        let next = try await store.claim(everything(), at: later).deliveries
        #expect(next.first { $0.device == "new7" }?.nonce == "later")
    }

    @Test(
        "who claims a token and does not prove it within a day is deleted, and the holder stays",
        arguments: StoreEngine.allCases)
    func unproven(_ engine: StoreEngine) async throws {
        let store = try await holder(engine)
        try await store.enrol(device("has-own", token: "bb", secret: 2), at: noon)
        for index in 0..<20 {
            _ = try await store.register(device("new\(index)", token: "aa", secret: 2), at: noon + .seconds(index))
        }
        _ = try await store.register(device("has-own", token: "aa", secret: 2), at: noon + .seconds(20))
        _ = try await store.register(device("waits", token: nil, secret: 2), at: noon)
        func left(at now: Timestamp) async throws -> Int {
            _ = try await store.upkeep.purgeDevices(before: now - .seconds(90 * 86_400), at: now)
            return try await store.read { try $0.integer("SELECT count(*) FROM devices WHERE id LIKE 'new%'") }
        }
        let late = noon + StoreLimits.tokenClaimLifetime + .seconds(30)
        #expect(try await left(at: late - .seconds(60)) == 20)
        // This one asks again, and gets a nonce that is good for another day.
        _ = try await store.register(device("new5", token: "aa", secret: 2), at: late - .seconds(60))
        #expect(try await left(at: late) == 1)
        #expect(try await store.device("new5") != nil)
        #expect(try await store.device("old")?.state == .active)
        #expect(try await store.device("has-own")?.state == .active, "it has a token of its own")
        #expect(try await store.device("waits") != nil, "it claims nobody's token")
        #expect(try await left(at: late + StoreLimits.tokenClaimLifetime) == 0)
    }

    @Test("a token that APNs has retired needs no proof", arguments: StoreEngine.allCases)
    func retired(_ engine: StoreEngine) async throws {
        let store = try await holder(engine)
        _ = try await store.accept(try message("m1", to: .users(["u1"])), at: noon)
        let gone = rejected("Unregistered", 410, since: noon)
        let claimed = try await store.claim(everything(), at: noon).deliveries
        _ = try await store.settle(
            claimed.map { $0.settled(gone) }, at: noon)
        _ = try await store.register(device("new", token: "aa", secret: 2), at: noon + .seconds(1))
        #expect(try await store.device("new")?.state == .active)
    }

    @Test("a superseded installation that registers again gets no user back by that", arguments: StoreEngine.allCases)
    func superseded(_ engine: StoreEngine) async throws {
        let store = try await holder(engine)
        _ = try await store.register(device("new", token: "aa", secret: 2, nonce: "n1"), at: noon)
        _ = try await store.claimToken(for: "new", nonce: "n1", at: noon)
        _ = try await store.register(device("old", token: "aa"), at: noon + .seconds(61))
        let old = try #require(try await store.device("old"))
        #expect(old.state == .awaitingToken && old.user == nil && old.token == nil)
        #expect(try await store.device("new")?.state == .active)
    }

    @Test("moving to another environment is moving to another token", arguments: StoreEngine.allCases)
    func environment(_ engine: StoreEngine) async throws {
        let store = try await holder(engine)
        try await store.enrol(device("other", token: "aa", secret: 2, environment: .production), at: noon)
        let outcome = try await store.change(
            "other", DeviceUpdate(environment: .sandbox, facts: [:], nonce: "n"), at: noon)
        guard case .registered(let device) = outcome else {
            Issue.record("not changed: \(outcome)")
            return
        }
        #expect(device.claimedToken == testToken("aa"))
        #expect(device.environment == .production, "it stays where it was until the nonce is back")
        _ = try await store.claimToken(for: "other", nonce: "n", at: noon)
        #expect(try await store.device("other")?.environment == .sandbox)
        #expect(try await store.device("old")?.state == .superseded)
    }

    @Test("a clock that is set back by a day delays neither checks nor nonces", arguments: StoreEngine.allCases)
    func clock(_ engine: StoreEngine) async throws {
        let store = try await holder(engine)
        let tomorrow = noon + .seconds(24 * 3600)
        _ = try await store.register(device("early", token: "aa", secret: 2), at: tomorrow)
        _ = try await store.register(device("late", token: "aa", secret: 2, nonce: "n2"), at: noon)
        _ = try await store.register(device("fresh"), at: noon)
        let soon = noon + .seconds(1)
        let due = try await store.claim(everything(), at: soon).deliveries
        #expect(
            Set(due.map { "\($0.device) \($0.purpose.rawValue)" })
                == ["early token-claim", "late token-claim", "fresh token-check"])
    }

    @Test(
        "a check waits for at most an hour: a queue that ends later is from before the clock was set back",
        arguments: StoreEngine.allCases)
    func longestQueue(_ engine: StoreEngine) async throws {
        for (ahead, isQueued) in [(3599, true), (3600, false)] {
            let store = try await engine.make()
            _ = try await store.register(device("early"), at: noon + .seconds(ahead))
            _ = try await store.register(device("late"), at: noon)
            let soon = noon + .seconds(1)
            #expect(
                try await store.claim(everything(), at: soon).deliveries.contains { $0.device == "late" } != isQueued)
        }
    }

    // MARK: Made-up devices

    @Test(
        "a new token is tried by one push, and a device is confirmed by APNs' 200 and counted from 1",
        arguments: StoreEngine.allCases)
    func confirmed(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        for (id, app) in [("a", chime), ("b", chime), ("c", ferry)] {
            _ = try await store.register(device(id, app: app), at: noon)
        }
        let soon = noon + .seconds(1)
        let checks = try await store.claim(everything(), at: soon).deliveries
        #expect(checks.map(\.purpose) == [.tokenCheck, .tokenCheck, .tokenCheck])
        #expect(try await store.device("a")?.confirmed == nil)
        _ = try await store.settle(checks.map { $0.settled(at: soon) }, at: soon)
        #expect(try await store.device("a")?.confirmed == soon)
        var ordinals: [Int64?] = []
        for id in ["a", "b", "c"] { ordinals.append(try await store.device(id)?.ordinal) }
        #expect(ordinals == [1, 2, 1])
        _ = try await store.register(device("a"), at: soon)
        #expect(try await store.claim(everything(), at: soon).deliveries.isEmpty, "known tokens are not tried")
    }

    @Test("an ordinal is never used again", arguments: StoreEngine.allCases)
    func ordinals(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        try await store.enrol(device("a"), at: noon)
        _ = try await store.delete("a", at: noon)
        try await store.enrol(device("b"), at: noon + .seconds(60))
        #expect(try await store.device("b")?.ordinal == 2)
        try await store.enrol(device("b", token: "bbbb"), at: noon + .seconds(120))
        #expect(try await store.device("b")?.ordinal == 2, "another token, the same device")
    }

    @Test("BadDeviceToken deletes a device that was never confirmed", arguments: StoreEngine.allCases)
    func deleted(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        _ = try await store.register(device("made-up", user: "u1"), at: noon)
        _ = try await store.accept(try message("m1", to: .users(["u1"])), at: noon)
        let bad = rejected("BadDeviceToken", 400)
        let claimed = try await store.claim(everything(limit: 1), at: noon).deliveries
        _ = try await store.settle(claimed.map { $0.settled(bad) }, at: noon)
        #expect(try await store.device("made-up") == nil)
        #expect(try await store.claim(everything(), at: noon).deliveries.isEmpty)
        #expect(try await store.report(MessageID(test: "m1"), at: noon)?.counts.queued == 0)
    }

    @Test("made-up devices are in no broadcast, and are tried one after the other", arguments: StoreEngine.allCases)
    func flood(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        try await store.enrol(device("real"), at: noon)
        for index in 0..<1001 { _ = try await store.register(device("x\(index)"), at: noon + .seconds(60)) }
        let at = noon + .seconds(60)
        guard
            case .accepted(let answer) = try await store.accept(
                try message("m1", to: .everyone, counts: false), at: at)
        else {
            Issue.record("the broadcast was refused")
            return
        }
        #expect(answer.devices == 1)
        let second = at + .seconds(1)
        let due = try await store.claim(everything(limit: 20_000), at: second).deliveries
        let checks = due.filter { $0.purpose == .tokenCheck }
        #expect(checks.count == 51, "50 a second, and the first")
    }

    @Test(
        "devices that were set aside come back by the reason and the time of their rejection",
        arguments: StoreEngine.allCases)
    func releaseQuarantined(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        for id in ["a", "b", "c"] { try await store.enrol(device(id, user: id), at: noon) }
        for (id, reason, moment) in [
            ("a", "BadDeviceToken", noon), ("b", "DeviceTokenNotForTopic", noon),
            ("c", "BadDeviceToken", noon + .seconds(60)),
        ] {
            _ = try await store.accept(try message("m-\(id)", to: .users([id])), at: moment)
            let claim = try await store.claim(everything(), at: moment)
            try await store.settle(claim.deliveries.map { $0.settled(rejected(reason, 400), at: moment) }, at: moment)
            #expect(try await store.device(id)?.state == .quarantined)
        }
        let devices = store.devices
        let later = noon + .seconds(90)
        #expect(
            try await devices.release(chime, reason: "BadDeviceToken", since: noon + .seconds(30), at: later) == 1)
        #expect(try await store.device("c")?.state == .active)
        #expect(try await devices.release(ferry, reason: nil, since: nil, at: later) == 0)
        #expect(try await devices.release(chime, reason: "DeviceTokenNotForTopic", since: nil, at: later) == 1)
        #expect(try await devices.release(chime, reason: nil, since: nil, at: later) == 1)
        _ = try await store.accept(try message("again", to: .users(["a"])), at: later)
        #expect(try await store.claim(everything(), at: later).deliveries.contains { $0.device == "a" })
    }
}
