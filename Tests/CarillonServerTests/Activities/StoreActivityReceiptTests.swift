import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("What phones report about Live Activities", .serialized, .timeLimit(.minutes(3)))
struct StoreActivityReceiptTests {
    /// A store with the device `a` of the user `u`, on which the match runs.
    private func running(_ engine: StoreEngine) async throws -> Store {
        let store = try await engine.make()
        try await store.enrol(device("a", user: "u"), at: noon)
        try await store.tokens(start: "aa")
        try await store.start()
        try await store.sendMatches()
        try await store.tokens(start: "aa", ["match-7": "bb"])
        return store
    }

    @discardableResult
    private func report(
        _ event: LiveActivityReceipt.Event, _ timestamp: Int64? = nil, detail: String? = nil, id: String = "match-7",
        from device: String = "a", at moment: Timestamp = noon, to store: Store
    ) async throws -> [LiveActivityStates.State] {
        let receipt = LiveActivityReceipt(
            type: "Match", id: id, event: event, at: moment, timestamp: timestamp, detail: detail)
        return try await store.activities.record([receipt], from: device, at: noon).liveActivities
    }

    private func receipts(_ store: Store) async throws -> [String: Int]? {
        try await store.activities.report(MessageID(test: "match-7"), of: chime, at: noon)?.receipts
    }

    private func timeline(
        _ store: Store, after mark: Int64 = 0, limit: Int = 10, of app: AppReference = chime
    ) async throws -> LiveActivityTimeline? {
        try await store.activities.timeline(MessageID(test: "match-7"), of: app, after: mark, limit: limit, at: noon)
    }

    @Test("the report counts them, and of contents only the newest", arguments: StoreEngine.allCases)
    func counts(_ engine: StoreEngine) async throws {
        let store = try await running(engine)
        #expect(try await receipts(store) == [:])
        let first = try #require(try await report(.started, to: store).first)
        #expect(first.id == "match-7" && first.contentState == ["goals": 0] && first.attributes == ["match": "match-7"])
        try await report(.updated, first.timestamp, to: store)
        #expect(try await receipts(store) == ["started": 1, "updated": 1])
        try await store.update(1)
        #expect(try await receipts(store) == ["started": 1])
        let second = try #require(try await report(.stale, to: store).first)
        #expect(second.timestamp > first.timestamp && second.contentState == ["goals": 1])
        try await report(.updated, second.timestamp, to: store)
        try await report(.updated, first.timestamp, to: store)
        for event in [LiveActivityReceipt.Event.ended, .dismissed] { try await report(event, to: store) }
        let all = ["started": 1, "updated": 1, "stale": 1, "ended": 1, "dismissed": 1]
        #expect(try await receipts(store) == all)
    }

    @Test("the timeline has the newest of each kind, APNs' answers too, page by page", arguments: StoreEngine.allCases)
    func timelines(_ engine: StoreEngine) async throws {
        let store = try await running(engine)
        let stamp = try #require(try await report(.started, at: noon + .seconds(1), to: store).first?.timestamp)
        try await report(.started, at: noon + .seconds(9), to: store)
        try await report(.undecodable, stamp, detail: "goals must be Int", at: noon + .seconds(2), to: store)
        try await store.update(1)
        try await store.sendMatches(rejected("PayloadTooLarge", 413), at: noon + .seconds(3))
        let page = try #require(try await timeline(store))
        #expect(page.timestamp == stamp + 1 && page.next == nil)
        let phone = try #require(page.phones.first)
        #expect(phone.device == "a" && phone.state == .rejected)
        let words = phone.events.map { "\($0.event) \(($0.timestamp ?? stamp) - stamp) \($0.detail ?? "")" }
        #expect(
            words == ["accepted 0 ", "started 0 ", "undecodable 0 goals must be Int", "rejected 1 PayloadTooLarge"])
        #expect(phone.events[1].at == noon + .seconds(1))
        #expect(try await timeline(store, of: ferry) == nil)

        try await store.enrol(device("b", user: "u"), at: noon)
        try await store.start("match-8")
        func eight(_ mark: Int64) async throws -> LiveActivityTimeline? {
            try await store.activities.timeline(
                MessageID(test: "match-8"), of: chime, after: mark, limit: 1, at: noon)
        }
        let one = try #require(try await eight(0))
        let mark = try #require(one.next.flatMap { Int64($0) })
        let two = try #require(try await eight(mark))
        #expect((one.phones + two.phones).map(\.device) == ["a", "b"] && two.next == nil)
    }

    @Test("the feed tells each once, with the name and the user", arguments: StoreEngine.allCases)
    func feed(_ engine: StoreEngine) async throws {
        let store = try await running(engine)
        let types = FeedSelection(types: Set(FeedEventType.allCases.filter { $0.rawValue.hasPrefix("live_activity.") }))
        let start = try await store.openFeed()
        for _ in 0..<2 {
            try await report(.started, to: store)
            try await report(.undecodable, 5, detail: "goals must be Int", to: store)
            try await report(.ended, to: store)
        }
        try await report(.started, id: "match-9", to: store)
        try await report(.started, from: "nobody", to: store)
        let events = try await store.events(after: start, types)
        #expect(events.map(\.type) == [.liveActivityStarted, .liveActivityUndecodable, .liveActivityEnded])
        #expect(events.allSatisfy { $0.user == "u" && $0.device == "a" && $0.details?.liveActivity == "match-7" })
        let undecodable = events.first { $0.type == .liveActivityUndecodable }?.details
        #expect(undecodable?.timestamp == 5 && undecodable?.detail == "goals must be Int")
    }

    @Test("a phone gets the states of what it has, and none of a user who has left it", arguments: StoreEngine.allCases)
    func states(_ engine: StoreEngine) async throws {
        let store = try await running(engine)
        try await store.start("match-8")
        #expect(try await report(.stale, to: store).map(\.id) == ["match-7"], "match-8 was not sent yet")
        try await store.sendMatches()
        #expect(try await report(.stale, to: store).map(\.id) == ["match-7", "match-8"])
        try await store.tokens(start: "aa")
        #expect(try await report(.stale, to: store).map(\.id) == ["match-8"], "match-7 has ended there")
        _ = try await store.register(device("a", user: "v"), at: noon)
        #expect(try await report(.stale, to: store).isEmpty)
    }
}
