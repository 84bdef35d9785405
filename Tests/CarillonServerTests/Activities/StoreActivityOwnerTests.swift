import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("A Live Activity belongs to its app, its users and their phones", .serialized, .timeLimit(.minutes(3)))
struct StoreActivityOwnerTests {
    private func running(_ engine: StoreEngine) async throws -> Store {
        let store = try await engine.make()
        try await store.enrol(device("a", user: "u"), at: noon)
        try await store.tokens(start: "aa", ["match-7": "bb"])
        try await store.start()
        try await store.sendMatches()
        return store
    }

    @Test("two apps have Live Activities of one name, and neither sees the other's", arguments: StoreEngine.allCases)
    func tenancy(_ engine: StoreEngine) async throws {
        let store = try await running(engine)
        #expect(try await store.update(1, app: ferry).refusal == .unknown)
        #expect(try await store.end(app: ferry).refusal == .unknown)
        #expect(try await store.activities.report(MessageID(test: "match-7"), of: ferry, at: noon) == nil)
        try await store.enrol(device("f", user: "u", app: ferry), at: noon)
        try await store.tokens(start: "ff", of: "f")
        #expect(try await store.start(app: ferry).report?.devices == 1)
        try await store.end(app: ferry)
        #expect(try await store.activities.report(MessageID(test: "match-7"), of: chime, at: noon)?.state == .running)
    }

    @Test("a repeated call changes nothing, and its name or key is not for another", arguments: StoreEngine.allCases)
    func repetition(_ engine: StoreEngine) async throws {
        let store = try await running(engine)
        #expect(try await store.start().report?.revision == 1)
        #expect(try await store.start(goals: 9).refusal == .exists)
        #expect(try await store.update(1, key: "one").report?.revision == 2)
        try await store.update(2, key: "two")
        let repeated = try #require(try await store.update(1, key: "one").report)
        #expect(repeated.revision == 3 && repeated.contentState == ["goals": 2])
        #expect(try await store.update(7, key: "one").refusal == .idempotencyKeyReused)
        #expect(try await store.start("match-9", key: "one").refusal == .idempotencyKeyReused)
        #expect(try await store.sendMatches().map(\.words) == ["update bb 2"])
        try await store.end()
        #expect(try await store.start().refusal == .ended)
        #expect(try await store.start(goals: 9).refusal == .exists)
        #expect(try await store.update(3).refusal == .ended)
    }

    @Test("two updates at once get two revisions, and the phone the newest", arguments: StoreEngine.allCases)
    func atOnce(_ engine: StoreEngine) async throws {
        let store = try await running(engine)
        let reports = try await withThrowingTaskGroup(of: LiveActivityReport?.self) { group in
            for goals in 1...8 { group.addTask { try await store.update(goals).report } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(reports.compactMap { $0?.revision }) == Set(2...9))
        let newest = try #require(try await store.activities.report(MessageID(test: "match-7"), of: chime, at: noon))
        let pushes = try await store.sendMatches()
        #expect(pushes.count == 1)
        #expect(pushes.first?.activity?.content["content-state"] == newest.contentState)
    }

    @Test("for nobody it waits for nobody, and says why", arguments: StoreEngine.allCases)
    func nobody(_ engine: StoreEngine) async throws {
        let store = try await running(engine)
        let report = try #require(try await store.start("match-8", to: .users(["nobody"])).report)
        #expect(report.devices == 0 && report.reason == .notSignedIn && report.phones == [:])
        #expect(try await store.update(1, of: "match-8").report?.revision == 2)
        #expect(try await store.start("match-9", to: .devices(["a"])).report?.devices == 1)
    }

    @Test(
        "after a sign-out it leaves the screen, and the state is not for the next user", arguments: StoreEngine.allCases
    )
    func signOut(_ engine: StoreEngine) async throws {
        let store = try await running(engine)
        try await store.update(1)
        _ = try await store.register(device("a", user: "v"), at: noon)
        try await store.tokens(start: "aa", ["match-7": "bb"])
        let end = try #require(try await store.sendMatches().first)
        #expect(end.words == "end bb")
        #expect(try end.aps?["dismissal-date"] == .int(noon.secondsSince1970) && end.aps?["content-state"] == nil)
        try await store.update(2)
        #expect(try await store.claimMatches().isEmpty)
        #expect(try await store.states() == ["ended": 1])
    }

    @Test("of an erased user nothing is left, and a phone that still shows it ends it", arguments: StoreEngine.allCases)
    func erasure(_ engine: StoreEngine) async throws {
        let store = try await running(engine)
        try await store.start("match-8", to: .users(["u", "w"]))
        let erasure = try await store.erase(UserReference("u", of: chime.number), at: noon)
        #expect(erasure.remaining == 0)
        let report = try #require(try await store.activities.report(MessageID(test: "match-7"), of: chime, at: noon))
        #expect(report.state == .ended && report.contentState == [:])
        #expect(try await store.sendMatches().map(\.words) == ["end bb"])
        let rest = try await store.read {
            try $0.integer("SELECT count(*) FROM activity_phones WHERE user IS NOT NULL")
        }
        #expect(rest == 0)
    }

    @Test("a deleted or superseded installation takes its tokens and phones along", arguments: StoreEngine.allCases)
    func installations(_ engine: StoreEngine) async throws {
        let store = try await running(engine)
        try await store.update(1)
        _ = try await store.register(
            device("b", user: "u", token: Data("a".utf8).hexadecimal, secret: 2, nonce: "n1"), at: noon)
        _ = try await store.claim(everything(), at: noon + .seconds(1))
        _ = try await store.claimToken(for: "b", nonce: "n1", at: noon)
        #expect(try await store.device("a")?.state == .superseded)
        #expect(try await store.states() == [:])
        try await store.tokens(start: "aa", ["match-8": "cc"], of: "b")
        try await store.start("match-8")
        #expect(try await store.states(of: "match-8") == ["queued": 1])
        _ = try await store.delete("b", at: noon)
        let left = try await store.read { session in
            try ["activity_tokens", "activity_phones"].map { try session.integer("SELECT count(*) FROM \($0)") }
        }
        #expect(left == [0, 0])
        #expect(try await store.claimMatches(at: noon + .seconds(600)).isEmpty)
    }

    @Test("a device out of use gets nothing, and the newest when it is back", arguments: StoreEngine.allCases)
    func outOfUse(_ engine: StoreEngine) async throws {
        let store = try await running(engine)
        _ = try await store.accept(try message("m", to: .devices(["a"]), counts: false), at: noon)
        let pushes = try await store.claim(everything(), at: noon).deliveries
        try await store.settle(
            pushes.map { $0.settled(rejected("Unregistered", 410, since: noon + .seconds(1))) }, at: noon)
        try await store.update(1)
        #expect(try await store.claimMatches().isEmpty)
        _ = try await store.change(
            "a", DeviceUpdate(token: testToken("ad"), facts: [:], nonce: "n"), at: noon + .seconds(2))
        #expect(try await store.claimMatches(at: noon + .seconds(2)).map(\.words) == ["update bb 1"])
    }

    @Test("it is purged with its tokens and keys when the retention is over", arguments: StoreEngine.allCases)
    func purge(_ engine: StoreEngine) async throws {
        let store = try await running(engine)
        try await store.update(1, key: "one", at: noon + .seconds(60))
        try await store.upkeep.purgeActivities(before: noon + .seconds(60))
        #expect(try await store.states() != [:])
        try await store.upkeep.purgeActivities(before: noon + .seconds(61))
        let left = try await store.read { session in
            try ["activities", "activity_phones", "activity_requests"].map {
                try session.integer("SELECT count(*) FROM \($0)")
            } + [session.integer("SELECT count(*) FROM activity_tokens WHERE id <> ''")]
        }
        #expect(left == [0, 0, 0, 0])
        #expect(try await store.claimMatches(at: noon + .seconds(61)).isEmpty, "its push is gone too")
    }
}
