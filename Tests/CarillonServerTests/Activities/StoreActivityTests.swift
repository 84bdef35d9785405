import CarillonAPNs
import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("A Live Activity's phones get its newest state", .serialized, .timeLimit(.minutes(3)))
struct StoreActivityTests {
    /// A store with the device `a` of the user `u`, which can start matches with the token `aa`.
    private func store(_ engine: StoreEngine, start: String? = "aa") async throws -> Store {
        let store = try await engine.make()
        try await store.enrol(device("a", user: "u"), at: noon)
        try await store.tokens(start: start)
        return store
    }

    /// Starts the match, and lets the phone register its token `bb`.
    private func running(_ engine: StoreEngine) async throws -> Store {
        let store = try await store(engine)
        try await store.start()
        try await store.sendMatches()
        try await store.tokens(start: "aa", ["match-7": "bb"])
        return store
    }

    @Test("from the start to the end, with Apple's keys and times that increase", arguments: StoreEngine.allCases)
    func story(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        let answer = try #require(try await store.start().report)
        #expect(answer.devices == 1 && answer.phones == ["queued": 1] && answer.state == .running)
        let start = try #require(try await store.sendMatches().first)
        #expect(start.words == "start aa 0")
        let aps = try #require(try start.aps)
        #expect(aps["event"] == "start" && aps["attributes-type"] == "Match" && aps["input-push-token"] == 1)
        #expect(aps["attributes"] == ["match": "match-7"] && aps["alert"] == ["title": "It begins"])
        #expect(try await store.states() == ["started": 1])
        try await store.tokens(start: "aa", ["match-7": "bb"])
        #expect(try await store.states() == ["current": 1])
        var stamps = [try #require(aps["timestamp"]?.intValue)]
        for goals in 1...2 {
            try await store.update(goals)
            let push = try #require(try await store.sendMatches().first)
            #expect(push.words == "update bb \(goals)")
            #expect(try push.aps?["attributes"] == nil && push.aps?["alert"] == nil)
            stamps.append(try #require(try push.aps?["timestamp"]?.intValue))
        }
        try await store.end("match-7", JSONObject(["dismissal-date": .int(noon.secondsSince1970)]))
        let end = try #require(try await store.sendMatches().first)
        #expect(end.words == "end bb 2")
        #expect(try end.aps?["dismissal-date"] == .int(noon.secondsSince1970))
        stamps.append(try #require(try end.aps?["timestamp"]?.intValue))
        #expect(zip(stamps, stamps.dropFirst()).allSatisfy { $0 < $1 }, "\(stamps)")
        #expect(try await store.states() == ["ended": 1])
        #expect(try await store.end().report?.state == .ended)
        #expect(try await store.claimMatches(at: noon + .seconds(3600)).isEmpty)
    }

    @Test(
        "a token that replaces another gets the newest state once, without its alert", arguments: StoreEngine.allCases)
    func replacedToken(_ engine: StoreEngine) async throws {
        let store = try await running(engine)
        var content = Store.goals(1)
        content["alert"] = ["title": "Goal"]
        try await store.change("match-7", content)
        let first = try #require(try await store.sendMatches().first)
        #expect(try first.aps?["alert"] == ["title": "Goal"])
        try await store.tokens(start: "aa", ["match-7": "cc"])
        let second = try #require(try await store.sendMatches().first)
        #expect(second.words == "update cc 1")
        #expect(try second.aps?["alert"] == nil)
        #expect(try await store.claimMatches(at: noon + .seconds(3600)).isEmpty)
        try await store.tokens(start: "aa", ["match-7": "cc"])
        #expect(try await store.claimMatches(at: noon + .seconds(3600)).isEmpty)

        try await store.update(2)
        let inFlight = try await store.claimMatches()
        #expect(inFlight.map(\.words) == ["update cc 2"])
        try await store.tokens(start: "aa", ["match-7": "dd"])
        try await store.settle(inFlight.map { $0.settled() }, at: noon)
        #expect(try await store.sendMatches().map(\.words) == ["update dd 2"], "the answer was for the former token")
        try await store.end()
        let end = try await store.claimMatches()
        try await store.tokens(start: "aa", ["match-7": "ee"])
        try await store.settle(end.map { $0.settled() }, at: noon)
        #expect(try await store.sendMatches().map(\.words) == ["end ee 2"])
        #expect(try await store.states() == ["ended": 1])
    }

    @Test(
        "a Live Activity that was gone from a phone and comes back gets the newest state",
        arguments: StoreEngine.allCases)
    func back(_ engine: StoreEngine) async throws {
        let store = try await running(engine)
        try await store.update(1)
        try await store.sendMatches()
        try await store.tokens(start: "aa")
        #expect(try await store.states() == ["gone": 1])
        try await store.tokens(start: "aa", ["match-7": "cc"])
        #expect(try await store.sendMatches().map(\.words) == ["update cc 1"])
        #expect(try await store.states() == ["current": 1])
    }

    @Test("times stay where a phone accepts them, however many states come", arguments: StoreEngine.allCases)
    func manyStates(_ engine: StoreEngine) async throws {
        var stamp = noon.secondsSince1970
        for _ in 0..<100_000 { stamp = DeliveryLimits.activityStamp(after: stamp, at: noon) }
        #expect(stamp == noon.secondsSince1970 + 3600)
        #expect(DeliveryLimits.activityStamp(after: stamp, at: noon + .seconds(7200)) == noon.secondsSince1970 + 7200)
        let setBack = DeliveryLimits.activityStamp(after: stamp, at: noon - .seconds(1))
        #expect(setBack == stamp, "a clock that was set back")
        let store = try await running(engine)
        try await store.write(at: noon) {
            try $0.execute("UPDATE activities SET stamp = ?", [noon.secondsSince1970 + 3600])
        }
        for goals in 1...3 {
            try await store.update(goals)
            let push = try #require(try await store.sendMatches().first)
            #expect(push.words == "update bb \(goals)")
            #expect(try push.aps?["timestamp"] == .int(noon.secondsSince1970 + 3600))
        }
    }

    @Test("an update says its priority; the audit list names who has ended it", arguments: StoreEngine.allCases)
    func priorityAndAudit(_ engine: StoreEngine) async throws {
        let store = try await running(engine)
        var content = Store.goals(1)
        content["priority"] = 5
        try await store.change("match-7", content)
        let push = try #require(try await store.sendMatches().first)
        #expect(try PushComposer.compose(push, at: noon).priority == .considerate)
        #expect(try push.aps?["priority"] == nil)
        try await store.end()
        let end = try #require(try await store.sendMatches().first)
        #expect(try PushComposer.compose(end, at: noon).priority == .immediate)
        try await store.end()
        let ends = try await store.audit.entries(limit: 10).filter { $0.action == "live-activity-ended" }
        #expect(ends.map { "\($0.actor) \($0.app ?? "") \($0.subject)" } == ["test com.example.chime match-7"])
    }

    @Test("what waits is replaced by what is newer, also while one is in flight", arguments: StoreEngine.allCases)
    func newest(_ engine: StoreEngine) async throws {
        let store = try await running(engine)
        for goals in 1...3 { try await store.update(goals) }
        let first = try await store.claimMatches()
        #expect(first.map(\.words) == ["update bb 3"])
        for goals in 4...5 { try await store.update(goals) }
        #expect(try await store.claimMatches().isEmpty, "one push at a time")
        try await store.settle(first.map { $0.settled() }, at: noon)
        #expect(try await store.sendMatches().map(\.words) == ["update bb 5"])
        #expect(try await store.claimMatches().isEmpty)
    }

    @Test("a retry carries the newest state, and waits as APNs asked", arguments: StoreEngine.allCases)
    func retry(_ engine: StoreEngine) async throws {
        let store = try await running(engine)
        try await store.update(1)
        try await store.sendMatches(rejected("TooManyRequests", 429))
        try await store.update(2)
        #expect(try await store.claimMatches().isEmpty)
        let later = noon + .seconds(3600)
        #expect(try await store.sendMatches(at: later).map(\.words) == ["update bb 2"])
        #expect(try await store.claimMatches(at: later + .seconds(3600)).isEmpty)
    }

    @Test(
        "a sender that takes over sends the newest state, and the late answer undoes nothing",
        arguments: StoreEngine.allCases)
    func takeover(_ engine: StoreEngine) async throws {
        let store = try await running(engine)
        try await store.update(1)
        let old = try await store.claimMatches(by: "dead")
        _ = try await store.release(try await store.sender("dead"), ifStillAt: nil, limit: 10, at: noon)
        try await store.update(2)
        let new = try await store.claimMatches()
        #expect(new.map(\.words) == ["update bb 2"])
        try await store.settle(old.map { $0.settled() }, at: noon)
        #expect(try await store.states() == ["queued": 1])
        try await store.settle(new.map { $0.settled() }, at: noon)
        #expect(try await store.states() == ["current": 1])
        #expect(try await store.claimMatches(at: noon + .seconds(3600)).isEmpty)
    }

    @Test("a start in doubt is repeated, and is over once the phone has a token", arguments: StoreEngine.allCases)
    func startInDoubt(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        try await store.start()
        try await store.sendMatches(.unanswered("lost"))
        try await store.update(1)
        let again = try await store.claimMatches(at: noon + .seconds(600))
        #expect(again.map(\.words) == ["start aa 1"] && again.first?.attempt == 2)
        try await store.settle(again.map { $0.settled(.unanswered("lost")) }, at: noon + .seconds(600))
        try await store.tokens(start: "aa", ["match-7": "bb"])
        #expect(try await store.sendMatches(at: noon + .seconds(3600)).map(\.words) == ["update bb 1"])
        #expect(try await store.states() == ["current": 1])
    }

    @Test("a token that comes late gets the newest state, and after the end the end", arguments: StoreEngine.allCases)
    func lateToken(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        try await store.start()
        try await store.sendMatches()
        for goals in 1...2 { try await store.update(goals) }
        #expect(try await store.claimMatches().isEmpty)
        #expect(try await store.states() == ["started": 1])
        try await store.tokens(start: "aa", ["match-7": "bb"])
        #expect(try await store.sendMatches().map(\.words) == ["update bb 2"])

        try await store.start("match-8")
        try await store.sendMatches()
        try await store.end("match-8")
        #expect(try await store.claimMatches().isEmpty)
        #expect(try await store.states(of: "match-8") == ["ending": 1])
        try await store.tokens(start: "aa", ["match-7": "bb", "match-8": "cc"])
        #expect(try await store.sendMatches().map(\.words) == ["end cc 0"])
        #expect(try await store.states(of: "match-8") == ["ended": 1])
    }

    @Test("an end while the start is in flight follows it", arguments: StoreEngine.allCases)
    func endRacesStart(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        try await store.start()
        let start = try await store.claimMatches()
        try await store.end()
        try await store.tokens(start: "aa", ["match-7": "bb"])
        try await store.settle(start.map { $0.settled() }, at: noon)
        #expect(try await store.sendMatches().map(\.words) == ["end bb 0"])
    }

    @Test("what has ended before it was sent is never started", arguments: StoreEngine.allCases)
    func endBeforeStart(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        try await store.start()
        try await store.end()
        #expect(try await store.claimMatches().isEmpty)
        #expect(try await store.states() == ["ended": 1])
        // The app has started it nevertheless.
        try await store.tokens(start: "aa", ["match-7": "bb"])
        #expect(try await store.sendMatches().map(\.words) == ["end bb 0"])
    }

    @Test("a phone without a token starts it with the newest state when it has one", arguments: StoreEngine.allCases)
    func lateStart(_ engine: StoreEngine) async throws {
        let store = try await store(engine, start: nil)
        try await store.start()
        try await store.update(1)
        #expect(try await store.claimMatches().isEmpty)
        #expect(try await store.states() == ["waiting": 1])
        try await store.tokens(start: "aa")
        let push = try #require(try await store.sendMatches().first)
        #expect(push.words == "start aa 1")
        #expect(try push.aps?["alert"] == ["title": "It begins"], "no phone starts without an alert")
    }

    @Test("what the app has started itself is updated, not started", arguments: StoreEngine.allCases)
    func startedByTheApp(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        try await store.tokens(start: "aa", ["match-7": "bb"])
        try await store.start()
        #expect(try await store.sendMatches().map(\.words) == ["update bb 0"])
    }

    @Test(
        "it is not started after its stale date, and nothing is sent after twenty hours",
        arguments: StoreEngine.allCases)
    func times(_ engine: StoreEngine) async throws {
        let store = try await store(engine, start: nil)
        try await store.start(stale: noon + .seconds(60))
        try await store.tokens(start: "aa", at: noon + .seconds(61))
        #expect(try await store.claimMatches(at: noon + .seconds(61)).isEmpty)
        #expect(try await store.states(at: noon + .seconds(61)) == ["expired": 1])
        let other = try await running(engine)
        let late = noon + .seconds(20 * 3600)
        #expect(try await other.update(1, at: late).refusal == .over)
        #expect(try await other.end(at: late).report?.state == .ended)
        #expect(try await other.claimMatches(at: late).isEmpty)
    }

    @Test(
        "a rejected token is retired and the device is not, until the phone has another",
        arguments: StoreEngine.allCases, [("Unregistered", 410), ("BadDeviceToken", 400)])
    func rejectedToken(_ engine: StoreEngine, _ reason: (String, Int)) async throws {
        let store = try await store(engine)
        try await store.start()
        let moment = noon + .seconds(1)
        try await store.sendMatches(rejected(reason.0, reason.1, since: moment))
        #expect(try await store.states() == ["waiting": 1])
        try await store.tokens(start: "ab")
        #expect(try await store.sendMatches().map(\.words) == ["start ab 0"])
        try await store.tokens(start: "ab", ["match-7": "bb"])
        try await store.update(1)
        try await store.sendMatches(rejected(reason.0, reason.1, since: moment))
        #expect(try await store.states() == ["gone": 1])
        try await store.update(2)
        #expect(try await store.claimMatches().isEmpty)
        #expect(try await store.device("a")?.state == .active)
        try await store.tokens(start: "ab", ["match-7": "bc"])
        #expect(try await store.sendMatches().map(\.words) == ["update bc 2"])
    }

    @Test("a rejection of a former token is about that token only", arguments: StoreEngine.allCases)
    func formerToken(_ engine: StoreEngine) async throws {
        let store = try await running(engine)
        try await store.update(1)
        let pushes = try await store.claimMatches()
        try await store.tokens(start: "aa", ["match-7": "bc"])
        try await store.settle(
            pushes.map { $0.settled(rejected("Unregistered", 410, since: noon + .seconds(1))) }, at: noon)
        #expect(try await store.sendMatches(at: noon + .seconds(600)).map(\.words) == ["update bc 1"])
    }

    @Test(
        "a push that APNs refuses for good is not repeated, and the next state is sent", arguments: StoreEngine.allCases
    )
    func refused(_ engine: StoreEngine) async throws {
        let store = try await running(engine)
        try await store.update(1)
        try await store.sendMatches(rejected("PayloadTooLarge", 413))
        #expect(try await store.states() == ["rejected": 1])
        #expect(try await store.claimMatches(at: noon + .seconds(3600)).isEmpty)
        try await store.update(2)
        #expect(try await store.sendMatches().map(\.words) == ["update bb 2"])
        #expect(try await store.states() == ["current": 1])
    }

    @Test("a token that the phone leaves out has ended there", arguments: StoreEngine.allCases)
    func endedOnThePhone(_ engine: StoreEngine) async throws {
        let store = try await running(engine)
        try await store.tokens(start: "aa")
        try await store.update(1)
        #expect(try await store.claimMatches().isEmpty)
        #expect(try await store.states() == ["gone": 1])
    }
}
