import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("Webhooks in the store", .serialized)
struct StoreWebhookTests {
    private func add(
        _ id: String, to store: Store, types: Set<FeedEventType>? = nil
    ) async throws {
        let webhook = Webhook(
            id: id, app: chime.number, url: "https://example.com/\(id)", selection: FeedSelection(types: types),
            created: noon, due: noon)
        let secret = Data(repeating: 7, count: 32)
        let added = try await store.webhooks.add(webhook, secret: secret, for: chime, by: AuditActor("test"), at: noon)
        #expect(added == .added(secret: secret))
    }

    private func send(_ id: String, by store: Store) async throws {
        _ = try await store.accept(try message(id, to: .everyone, counts: false), at: noon)
    }

    /// Claims as a sender does that is making the requests of all webhooks that it holds.
    private func claim(
        _ store: Store, _ worker: String = "w", at now: Timestamp = noon
    ) async throws -> [ClaimedWebhook] {
        let sender = try await store.sender(worker)
        let held = try await store.read { session in
            try session.rows("SELECT number FROM webhooks WHERE sender = ?", [sender.rawValue]).map {
                try $0["number"] as Int64
            }
        }
        return try await claim(store, sender, busy: held, at: now)
    }

    private func claim(
        _ store: Store, _ sender: SenderNumber, busy: [Int64], at now: Timestamp = noon
    ) async throws -> [ClaimedWebhook] {
        let question = ClaimingWebhooks.Question(sender: sender, busy: busy, limits: (healthy: 10, failing: 10))
        return try await store.webhooks.claim(question, at: now).requests
    }

    private func messages(_ requests: [ClaimedWebhook]) -> [[String?]] {
        requests.map { $0.events.filter { $0.type == .messageAccepted }.map { $0.message?.rawValue } }
    }

    @Test("get each event once and in order, with equal ids until they have it", arguments: StoreEngine.allCases)
    func order(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        try await add("a", to: store)
        #expect(try await claim(store).isEmpty)
        for id in ["1", "2"] { try await send(id, by: store) }
        let first = try await claim(store)
        #expect(messages(first) == [["1", "2"]])
        #expect(try await claim(store).isEmpty, "one request at a time")
        try await send("3", by: store)
        let again = noon + .seconds(60)
        try await store.webhooks.settle(first[0], .again(at: again, answer: "500"), at: noon)
        #expect(try await claim(store).isEmpty, "not due")
        let second = try await claim(store, at: again)
        #expect(messages(second) == [["1", "2"]], "what came since is for the next request")
        #expect(second[0].messageID == first[0].messageID && second[0].standing.failures == 1)
        // An outcome under a former lease changes nothing.
        try await store.webhooks.settle(first[0], .delivered, at: again)
        #expect(try await claim(store, at: again).isEmpty)
        try await store.webhooks.settle(second[0], .delivered, at: again)
        let third = try await claim(store, at: again)
        #expect(messages(third) == [["3"]] && third[0].standing.failures == 0)
        try await store.webhooks.settle(third[0], .setAside(answer: "410"), at: again)
        try await send("4", by: store)
        #expect(try await claim(store, at: again).isEmpty)
        #expect(try await store.webhooks.webhook("a", of: chime.number)?.setAside == again)
        var change = WebhookChange()
        change.resumes = true
        _ = try await store.webhooks.change("a", of: chime, change, by: AuditActor("test"), at: again)
        #expect(messages(try await claim(store, at: again)) == [["3"]])
        let kinds = FeedSelection(types: [.webhookSetAside, .webhookResumed])
        let start = FeedPosition(number: third[0].flight.end.number)
        let told = try await store.events(after: start, kinds, at: again)
        #expect(told.map(\.type) == [.webhookSetAside, .webhookResumed])
        #expect(told.map(\.details?.webhook) == ["a", "a"] && told[0].details?.reason == "410")
    }

    @Test("a sender that ends leaves its requests to others, with equal ids", arguments: StoreEngine.allCases)
    func takenOver(_ engine: StoreEngine) async throws {
        let stores = try await engine.makeSeveral(2)
        try await add("a", to: stores[0])
        try await send("1", by: stores[0])
        let lost = try await claim(stores[0], "dead")
        try await send("2", by: stores[1])
        #expect(try await claim(stores[1], "alive").isEmpty)
        let dead = try await stores[0].sender("dead")
        _ = try await stores[1].release(dead, ifStillAt: nil, limit: 100, at: noon)
        let found = try await claim(stores[1], "alive")
        #expect(found.map(\.messageID) == lost.map(\.messageID) && messages(found) == [["1"]])
        try await stores[0].webhooks.settle(lost[0], .delivered, at: noon)
        #expect(try await claim(stores[1], "alive").isEmpty, "the dead one's outcome ends no lease of another")
        try await stores[1].webhooks.settle(found[0], .delivered, at: noon)
        try await send("3", by: stores[1])
        _ = try await stores[1].webhooks.test("a", of: chime, at: noon)
        await #expect(throws: SenderEnded.self) {
            try await claim(stores[0], dead, busy: [])
        }
    }

    @Test("get only the types they want, and a test that is for them alone", arguments: StoreEngine.allCases)
    func types(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        try await add("a", to: store, types: [.messageRecalled])
        try await add("b", to: store)
        for number in 0..<5 { try await send("\(number)", by: store) }
        _ = try await store.recall(MessageID(test: "3"), at: noon)
        _ = try await store.webhooks.test("a", of: chime, at: noon)
        let requests = try await claim(store)
        let wanted = try #require(requests.first { $0.standing.id == "a" })
        #expect(wanted.events.map(\.type) == [.messageRecalled, .webhookTest])
        let others = try #require(requests.first { $0.standing.id == "b" })
        #expect(others.events.count == 11 && !others.events.contains { $0.type == .webhookTest })
    }

    @Test("a replay drops the request under way, and its outcome", arguments: StoreEngine.allCases)
    func replay(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        try await add("a", to: store)
        try await send("1", by: store)
        let first = try await claim(store)
        try await store.webhooks.settle(first[0], .delivered, at: noon)
        _ = try await store.accept(try message("2", to: .everyone, counts: false), at: noon + .seconds(10))
        let second = try await claim(store)
        _ = try await store.webhooks.replay("a", of: chime, since: noon, at: noon)
        #expect(try await claim(store).isEmpty, "the former request is still under way")
        try await store.webhooks.settle(second[0], .delivered, at: noon)
        let all = try await claim(store)
        #expect(messages(all) == [["1", "2"]])
        #expect(all[0].messageID != first[0].messageID && all[0].messageID != second[0].messageID)
        _ = try await store.webhooks.replay("a", of: chime, since: noon + .seconds(5), at: noon)
        try await store.webhooks.settle(all[0], .delivered, at: noon)
        let newest = try await claim(store)
        #expect(messages(newest) == [["2"]])
        #expect(newest[0].messageID != second[0].messageID, "a receiver that remembers ids takes it again")
        _ = try await store.webhooks.replay("a", of: chime, since: noon + .seconds(11), at: noon)
        try await store.webhooks.settle(newest[0], .delivered, at: noon)
        #expect(try await claim(store).isEmpty)
    }

    @Test("a replay begins with the first event of its moment, among many", arguments: StoreEngine.allCases)
    func moment(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        try await add("a", to: store)
        for number in 0..<20 {
            let now = noon + .seconds(number / 2 * 10)
            _ = try await store.accept(try message("\(number)", to: .everyone, counts: false), at: now)
        }
        for (seconds, expected) in [(-5, 0), (0, 0), (1, 2), (85, 18), (90, 18)] {
            _ = try await store.webhooks.replay("a", of: chime, since: noon + .seconds(seconds), at: noon)
            let found = try await claim(store)
            #expect(found[0].events.first?.message?.rawValue == "\(expected)", "\(seconds)")
            try await store.webhooks.settle(found[0], .again(at: noon, answer: ""), at: noon)
        }
    }

    @Test("a claim whose commit was not confirmed is made again", arguments: StoreEngine.allCases)
    func unconfirmed(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        try await add("a", to: store)
        try await send("1", by: store)
        let sender = try await store.sender("w")
        let lost = try await claim(store, sender, busy: [])
        #expect(try await claim(store, sender, busy: [lost[0].standing.number]).isEmpty)
        let again = try await claim(store, sender, busy: [])
        #expect(again.map(\.messageID) == lost.map(\.messageID) && again[0].lease != lost[0].lease)
    }

    @Test("of those that wait, the one comes first that got something least recently", arguments: StoreEngine.allCases)
    func fair(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        for id in ["a", "b"] { try await add(id, to: store) }
        let sender = try await store.sender("w")
        var order: [String] = []
        for number in 1...4 {
            let now = noon + .seconds(number)
            _ = try await store.accept(try message("\(number)", to: .everyone, counts: false), at: now)
            let question = ClaimingWebhooks.Question(sender: sender, busy: [], limits: (healthy: 1, failing: 0))
            let claim = try await store.webhooks.claim(question, at: now)
            #expect(claim.isMore)
            order += claim.requests.map(\.standing.id)
            try await store.webhooks.settle(try #require(claim.requests.first), .delivered, at: now)
        }
        #expect(order == ["a", "b", "a", "b"])
    }

    @Test("a former secret signs too until its time is over", arguments: StoreEngine.allCases)
    func rotation(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        try await add("a", to: store)
        try await send("1", by: store)
        let (former, new) = (Data(repeating: 7, count: 32), Data(repeating: 8, count: 32))
        let underWay = try await claim(store)
        let end = noon + .seconds(60)
        _ = try await store.webhooks.rotate(
            "a", of: chime, to: new, overlapUntil: end, by: AuditActor("test"), at: noon)
        #expect(underWay[0].standing.secrets == [former])
        try await store.webhooks.settle(underWay[0], .again(at: noon, answer: "401"), at: noon)
        let both = try await claim(store)
        #expect(both[0].standing.secrets == [new, former] && both[0].messageID == underWay[0].messageID)
        try await store.webhooks.settle(both[0], .again(at: noon, answer: "401"), at: noon)
        #expect(try await claim(store, at: end)[0].standing.secrets == [new])
    }

    @Test("events that are not kept any more are left out, and it says so", arguments: StoreEngine.allCases)
    func missed(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        try await add("a", to: store)
        try await send("1", by: store)
        let later = noon + StoreLimits.feedKept * 2
        let underWay = try await claim(store)
        try await store.webhooks.settle(underWay[0], .again(at: noon, answer: "500"), at: noon)
        _ = try await store.accept(try message("2", to: .everyone, counts: false), at: later)
        _ = try await store.upkeep.purgeFeeds(before: later, at: later)
        #expect(try await claim(store, at: later).isEmpty)
        #expect(messages(try await claim(store, at: later)) == [["2"]])
        #expect(try await store.webhooks.webhook("a", of: chime.number)?.missed == later)
    }

    @Test("the feed stays open for them, and no longer than 7 days after the last", arguments: StoreEngine.allCases)
    func open(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        try await add("a", to: store)
        try await add("b", to: store)
        let later = noon + StoreLimits.feedKept * 100
        func until() async throws -> Timestamp? {
            try await store.read { try FeedTable($0).feed(of: chime.number)?.until }
        }
        #expect(try await store.webhooks.delete("a", of: chime, by: AuditActor("test"), at: later))
        #expect(try await until() == StoreLimits.forever)
        #expect(try await store.webhooks.delete("b", of: chime, by: AuditActor("test"), at: later))
        #expect(try await until() == later + StoreLimits.feedKept)
        #expect(try await !store.webhooks.delete("b", of: chime, by: AuditActor("test"), at: later))
    }

    @Test("of a removed app are gone, also while one sends", arguments: StoreEngine.allCases)
    func removed(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        try await add("a", to: store)
        try await send("1", by: store)
        let request = try await claim(store)
        #expect(try await store.apps.remove(chime, by: AuditActor("test"), at: noon))
        try await store.webhooks.settle(request[0], .again(at: noon, answer: "500"), at: noon)
        #expect(try await store.webhooks.all(of: chime.number).isEmpty)
        #expect(try await claim(store).isEmpty)
        try await store.deleteRemovedApps()
    }

    @Test("a clock that is set back delays a webhook by two hours at most", arguments: StoreEngine.allCases)
    func clock(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        try await add("a", to: store)
        try await send("1", by: store)
        let ahead = noon + .seconds(30 * 86_400)
        let first = try await claim(store, at: ahead)
        try await store.webhooks.settle(first[0], .again(at: ahead + .seconds(60), answer: "500"), at: ahead)
        #expect(messages(try await claim(store)) == [["1"]])
    }
}
