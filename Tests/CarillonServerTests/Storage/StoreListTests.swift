import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("A store lists messages, and who got them", .serialized)
struct StoreListTests {
    private static func ids(_ list: MessageList?) -> [String] {
        (list?.notifications ?? []).map(\.report.id.rawValue)
    }

    @Test(
        "all messages of the app come once, the newest first, also while further ones come",
        arguments: StoreEngine.allCases)
    func pages(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        _ = try await store.enrol(device("phone", user: "u1"), at: noon)
        for number in 1...7 { _ = try await store.accept(try message("m\(number)", to: .users(["u1"])), at: noon) }
        var (found, mark): ([String], MessageID?) = ([], nil)
        while true {
            let page = try #require(
                try await store.messages.list(of: chime, MessageFilter(), after: mark, limit: 3, at: noon))
            found += Self.ids(page)
            // A message that comes between two pages is none of the rest.
            _ = try await store.accept(try message("late\(found.count)", to: .users(["u1"])), at: noon)
            guard let next = page.next else { break }
            mark = MessageID(test: next)
        }
        #expect(found == ["m7", "m6", "m5", "m4", "m3", "m2", "m1"])
        #expect(try await store.messages.list(of: ferry, MessageFilter(), after: nil, limit: 3, at: noon)?.next == nil)
        let unknown = try await store.messages.list(
            of: ferry, MessageFilter(), after: MessageID(test: "m1"), limit: 3, at: noon)
        #expect(unknown == nil)
    }

    @Test("by state, time, user and a part of the id", arguments: StoreEngine.allCases)
    func filters(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        _ = try await store.enrol(device("phone", user: "u1"), at: noon)
        _ = try await store.enrol(device("other", user: "u2"), at: noon)
        _ = try await store.accept(try message("news-1", to: .users(["u1"])), at: noon)
        _ = try await store.accept(try message("news-2", to: .users(["u2"]), text: "Second"), at: noon + .seconds(10))
        _ = try await store.accept(try message("order_3", to: .everyone, counts: false), at: noon + .seconds(20))
        _ = try await store.recall(MessageID(test: "news-1"), at: noon)
        func list(_ change: (inout MessageFilter) -> Void) async throws -> [String] {
            var filter = MessageFilter()
            change(&filter)
            return Self.ids(try await store.messages.list(of: chime, filter, after: nil, limit: 10, at: noon))
        }
        #expect(try await list { $0.states = [.recalled] } == ["news-1"])
        #expect(try await list { $0.states = [.recalled, .accepted] } == ["order_3", "news-2", "news-1"])
        #expect(try await list { $0.idPart = "ews-" } == ["news-2", "news-1"])
        #expect(try await list { $0.idPart = "%" } == [])
        #expect(try await list { $0.idPart = "_" } == ["order_3"])
        #expect(try await list { $0.since = noon + .seconds(10) } == ["order_3", "news-2"])
        #expect(try await list { $0.before = noon + .seconds(10) } == ["news-1"])
        #expect(try await list { $0.user = "u2" } == ["order_3", "news-2"])
        #expect(try await list { ($0.user, $0.states) = ("u1", [.sent]) } == [])
        let entry = try await store.messages.list(of: chime, MessageFilter(), after: nil, limit: 2, at: noon)?
            .notifications
        #expect(entry?.last?.title == "Second")
        #expect(entry?.last?.report == (try await store.report(MessageID(test: "news-2"), at: noon)))
    }

    @Test("a page by states examines a bounded number of messages, and goes on", arguments: StoreEngine.allCases)
    func bounded(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        let count = StoreLimits.listedReports + 5
        for number in 1...count { _ = try await store.accept(try message("m\(number)", to: .users(["u"])), at: noon) }
        _ = try await store.recall(MessageID(test: "m1"), at: noon)
        var filter = MessageFilter()
        filter.states = [.recalled]
        let first = try await store.messages.list(of: chime, filter, after: nil, limit: 10, at: noon)
        #expect(first?.notifications == [] && first?.next == "m6")
        let second = try await store.messages.list(of: chime, filter, after: MessageID(test: "m6"), limit: 10, at: noon)
        #expect(Self.ids(second) == ["m1"] && second?.next == nil)
    }

    @Test("who did not see it, who did, and why not", arguments: StoreEngine.allCases, [false, true])
    func recipients(_ engine: StoreEngine, _ isRanged: Bool) async throws {
        let rules = isRanged ? RangeRules(devices: 1, chunkDevices: 2, sampledDevices: 2) : RangeRules()
        let store = try await engine.make(ranges: rules)
        for number in 1...5 { _ = try await store.enrol(device("d\(number)", user: "u\(number)"), at: noon) }
        let reference = MessageReference(MessageID(test: "m1"), of: chime.number)
        _ = try await store.accept(try message("m1", to: .everyone, counts: false), at: noon)
        let claimed = try await store.claim(everything(), at: noon).deliveries
        _ = try await store.settle(
            claimed.map { $0.device == "d5" ? $0.settled(rejected("Unregistered", 410)) : $0.settled() }, at: noon)
        _ = try await store.record(
            [receipt(.received, "m1", id: "r1"), receipt(.shown, "m1", id: "r2")], from: "d1", at: noon)
        _ = try await store.record([receipt(.received, "m1", id: "r3")], from: "d2", at: noon)
        _ = try await store.record([receipt(.opened, "m1", id: "r4")], from: "d4", at: noon)
        func devices(_ group: RecipientGroup?) async throws -> [String] {
            try await store.recipients(of: reference, in: group, pagesOf: 2).map(\.device).sorted()
        }
        #expect(try await devices(.notShown) == ["d2", "d3"])
        #expect(try await devices(.shown) == ["d1"])
        #expect(try await devices(.opened) == ["d4"])
        #expect(try await devices(.received) == ["d1", "d2"])
        #expect(try await devices(.accepted) == ["d1", "d2", "d3", "d4"])
        #expect(try await devices(.rejected) == ["d5"])
        #expect(try await devices(nil) == ["d1", "d2", "d3", "d4", "d5"])
        #expect(try await devices(.queued) == [])
        let all = try await store.recipients(of: reference, in: nil)
        let first = try #require(all.first { $0.device == "d1" })
        #expect(first.user == "u1" && first.receipts == [.received, .shown] && first.reason == nil)
        let last = try #require(all.first { $0.device == "d5" })
        #expect(last.state == .rejected && last.reason == "Unregistered")
        #expect(
            try await store.messages.recipients(
                of: MessageReference(MessageID(test: "none"), of: chime.number), in: nil, after: nil, limit: 1, at: noon
            ) == nil)
    }
}
