import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("The feed tells when nothing is left to send of a message, once for each revision", .serialized)
struct FinishedMessageTests {
    /// The events that tell of the messages as a whole, such as "accepted m", "finished m 1".
    private func story(_ store: Store, _ start: FeedPosition, at now: Timestamp = noon) async throws -> [String] {
        try await store.events(after: start, at: now).compactMap { event in
            guard let message = event.message, event.device == nil else { return nil }
            let revision = event.type == .messageFinished ? " \(event.details?.revision ?? 0)" : ""
            return "\(event.type.rawValue.dropFirst("message.".count)) \(message.rawValue)\(revision)"
        }
    }

    @Test("after the last answer, not while a push waits for another attempt", arguments: StoreEngine.allCases)
    func named(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        try await store.enrol([device("a"), device("b")], at: noon)
        let start = try await store.openFeed()
        _ = try await store.accept(try message("m", to: .devices(["a", "b"]), counts: false), at: noon)
        let pushes = try await store.claim(everything(), at: noon).deliveries
        try await store.settle([pushes[0].settled()], at: noon)
        try await store.settle([pushes[1].settled(rejected("ServiceUnavailable", 503))], at: noon)
        #expect(try await story(store, start) == ["accepted m"])
        let later = noon + .seconds(3600)
        try await store.deliverAll(at: later)
        #expect(try await story(store, start, at: later) == ["accepted m", "finished m 1"])
        let newer = try message("m", to: .devices(["a", "b"]), text: "newer", counts: false)
        _ = try await store.accept(newer, at: later)
        let again = try await store.claim(everything(), at: later).deliveries
        // A late answer to the first revision ends nothing.
        try await store.settle([pushes[0].settled(at: later)], at: later)
        try await store.settle(again.map { $0.settled(rejected("PayloadTooLarge", 413), at: later) }, at: later)
        let rest = ["replaced m", "finished m 2"]
        #expect(try await story(store, start, at: later) == ["accepted m", "finished m 1"] + rest)
        _ = try await store.record([receipt(.shown, "m")], from: "a", at: later)
        #expect(try await story(store, start, at: later).count == 4)
    }

    @Test("to nobody, at its time, and after its end", arguments: StoreEngine.allCases)
    func empty(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        let start = try await store.openFeed()
        _ = try await store.accept(try message("nobody", to: .users(["u"]), counts: false), at: noon)
        var later = try message("later", to: .users(["u"]), counts: false)
        later.sendAt = noon + .seconds(60)
        _ = try await store.accept(later, at: noon)
        _ = try await store.accept(try message("other", to: .everyone, counts: false, app: ferry), at: noon)
        #expect(try await story(store, start) == ["accepted nobody", "finished nobody 1", "accepted later"])
        try await store.deliverAll(at: noon + .seconds(60))
        #expect(try await story(store, start).last == "finished later 1")
        try await store.enrol([device("a")], at: noon)
        let end = noon + .seconds(90)
        _ = try await store.accept(
            try message("old", to: .devices(["a"]), until: end, counts: false), at: noon)
        try await store.deliverAll(at: end + .seconds(1))
        #expect(try await story(store, start, at: end).last == "finished old 1")
        #expect(try await store.report(MessageID(test: "old"), at: end)?.state == .expired)
    }

    @Test("of one that is addressed in steps, of which the last finds nobody", arguments: StoreEngine.allCases)
    func steps(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        try await store.enrol([device("a", user: "u")], at: noon)
        let start = try await store.openFeed()
        let users = ["u"] + (0..<350).map { "none\($0)" }
        _ = try await store.accept(try message("m", to: .users(users), counts: false), at: noon)
        try await store.deliverAll()
        #expect(try await story(store, start) == ["accepted m", "finished m 1"])
    }

    @Test("after the second push of an assured message", arguments: StoreEngine.allCases)
    func assured(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        try await store.enrol([device("a"), device("b")], at: noon)
        let start = try await store.openFeed()
        _ = try await store.accept(
            try message("m", to: .devices(["a", "b"]), mode: .assured, counts: false), at: noon)
        try await store.deliverAll()
        _ = try await store.record([receipt(.shown, "m")], from: "a", at: noon)
        #expect(try await story(store, start) == ["accepted m"])
        let later = noon + .seconds(3600)
        while try await !store.deliverAll(at: later).isEmpty {}
        #expect(try await story(store, start, at: later) == ["accepted m", "finished m 1"])
    }

    @Test("not when a reader comes after it, whatever phones report then", arguments: StoreEngine.allCases)
    func late(_ engine: StoreEngine) async throws {
        let store = try await engine.make(ranges: RangeRules(devices: 1, chunkDevices: 8))
        try await store.enrol((0..<20).map { device("d\($0)") }, at: noon)
        _ = try await store.accept(try message("m", to: .everyone, counts: false), at: noon)
        while try await !store.deliverAll().isEmpty {}
        let start = try await store.openFeed()
        _ = try await store.record([receipt(.opened, "m")], from: "d3", at: noon)
        #expect(try await store.events(after: start).map(\.type) == [.messageOpened])
    }

    @Test("a scheduled message that was paused over its end", arguments: StoreEngine.allCases)
    func pausedOverItsEnd(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        try await store.enrol([device("a", user: "u")], at: noon)
        let start = try await store.openFeed()
        let end = noon + .seconds(120)
        var new = try message("m", to: .users(["u"]), until: end)
        new.sendAt = noon + .seconds(60)
        _ = try await store.accept(new, at: noon)
        let reference = MessageReference(MessageID(test: "m"), of: chime.number)
        _ = try await store.steer(reference, .pause, at: noon)
        _ = try await store.steer(reference, .resume, at: end + .seconds(1))
        while try await !store.deliverAll(at: end + .seconds(2)).isEmpty {}
        #expect(try await story(store, start, at: end).last == "finished m 1")
    }

    @Test("not of one that was recalled or cancelled, nor while it is paused", arguments: StoreEngine.allCases)
    func steered(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        try await store.enrol([device("a"), device("b")], at: noon)
        let start = try await store.openFeed()
        for id in ["recalled", "cancelled", "paused"] {
            _ = try await store.accept(try message(id, to: .devices(["a", "b"]), counts: false), at: noon)
        }
        _ = try await store.recall(MessageID(test: "recalled"), at: noon)
        for (id, change) in [("cancelled", SendingChange.cancel), ("paused", .pause)] {
            _ = try await store.steer(MessageReference(MessageID(test: id), of: chime.number), change, at: noon)
        }
        try await store.deliverAll()
        #expect(try await !story(store, start).contains { $0.hasPrefix("finished") })
        _ = try await store.steer(MessageReference(MessageID(test: "paused"), of: chime.number), .resume, at: noon)
        try await store.deliverAll()
        #expect(try await story(store, start).suffix(2) == ["resumed paused", "finished paused 1"])
    }

    @Test(
        "of a broadcast in bits, when its last chunk is answered or has ended", arguments: StoreEngine.allCases)
    func broadcast(_ engine: StoreEngine) async throws {
        let store = try await engine.make(ranges: RangeRules(devices: 1, chunkDevices: 8))
        try await store.enrol((0..<20).map { device("d\($0)") }, at: noon)
        let start = try await store.openFeed()
        _ = try await store.accept(try message("m", to: .everyone, counts: false), at: noon)
        var pushes: [ClaimedDelivery] = []
        while pushes.count < 20 { pushes += try await store.claim(everything(), at: noon).deliveries }
        try await store.settle(pushes.dropLast().map { $0.settled() }, at: noon)
        #expect(try await story(store, start) == ["accepted m"])
        try await store.settle([pushes[19].settled(rejected("PayloadTooLarge", 413))], at: noon)
        #expect(try await story(store, start) == ["accepted m", "finished m 1"])
        // Nobody matches, and another ends before it is sent.
        let audience = Audience.matching(try AudienceParser.parse("tag:none"))
        _ = try await store.accept(try message("none", to: audience, counts: false), at: noon)
        let end = noon + .seconds(60)
        _ = try await store.accept(try message("old", to: .everyone, until: end, counts: false), at: noon)
        _ = try await store.claim(everything(limit: 4), at: noon)
        _ = try await store.release(try await store.sender("w"), ifStillAt: nil, limit: 100, at: end)
        while try await !store.deliverAll(at: end + .seconds(1)).isEmpty {}
        let told = try await story(store, start, at: end).filter { $0.hasPrefix("finished") }
        #expect(Set(told) == ["finished m 1", "finished none 1", "finished old 1"] && told.count == 3, "\(told)")
    }
}
