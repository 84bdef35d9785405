import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("Named recipients in the place of a message that is sent by ranges", .serialized)
struct StoreRangeNamedTests {
    private func store(_ engine: StoreEngine) async throws -> Store {
        let store = try await engine.make(ranges: RangeRules(devices: 3, chunkDevices: 4))
        for number in 0..<6 { try await store.enrol(device("d\(number)", user: "u\(number)"), at: noon) }
        _ = try await store.accept(try revision("One", to: .everyone), at: noon)
        return store
    }

    private func revision(_ text: String, to audience: Audience) throws -> NewMessage {
        try message("m", to: audience, text: text, replaces: true)
    }

    private func claimAll(_ store: Store, limit: Int = 100) async throws -> [ClaimedDelivery] {
        var found: [ClaimedDelivery] = []
        while true {
            let claim = try await store.claim(everything(limit: limit), at: noon)
            found += claim.deliveries
            if claim.examined == 0 { return found.sorted { $0.device < $1.device } }
        }
    }

    private func names(_ claims: [ClaimedDelivery]) -> [String] {
        claims.map { "\($0.purpose) \($0.device)" + ($0.message == nil ? "" : " \($0.revision)") }
    }

    private func settleAll(_ store: Store) async throws {
        try await store.settle(try await claimAll(store).map { $0.settled() }, at: noon)
    }

    private func inbox(_ store: Store, _ user: String) async throws -> [Int] {
        try await store.inbox(user: UserReference(user, of: chime.number), before: nil, limit: 9, at: noon)
            .map(\.revision)
    }

    @Test("get it, and it is removed from all others who had it", arguments: StoreEngine.allCases)
    func users(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        try await settleAll(store)
        let named = try revision("Two", to: .users(["u1", "u5", "nobody"]))
        let answer = SendAnswer(id: named.id, state: .accepted, devices: nil)
        #expect(try await store.accept(named, at: noon) == .accepted(answer))
        let second = try await claimAll(store)
        #expect(
            names(second)
                == ["removal d0", "show d1 2", "removal d2", "removal d3", "removal d4", "show d5 2"])
        #expect(second.compactMap(\.message?.payload.aps.alert) == [.text("Two"), .text("Two")])
        try await store.settle(second.map { $0.settled() }, at: noon)
        let report = try #require(try await store.report(named.id, at: noon))
        #expect(report.state == .sent && report.counts.devices == 2 && report.counts.accepted == 6)
        for (user, revisions) in [("u0", []), ("u1", [2]), ("u5", [2]), ("nobody", [])] {
            #expect(try await inbox(store, user) == revisions)
        }
        let timeline = try #require(try await store.timeline(named.id, after: "d0", limit: 1, at: noon))
        #expect(timeline.devices[0].events.map(\.event) == [.queued, .sent, .accepted])
        #expect(try await store.accept(named, at: noon) == .repeated(answer))
    }

    @Test("who had it read is asked again, and a third revision goes to everyone", arguments: StoreEngine.allCases)
    func backAgain(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        try await settleAll(store)
        _ = try await store.accept(try revision("Two", to: .devices(["d2", "d4"])), at: noon)
        try await settleAll(store)
        _ = try await store.record([receipt(.recalled, "m")], from: "d0", at: noon)
        _ = try await store.accept(try revision("Three", to: .everyone), at: noon)
        #expect(names(try await claimAll(store)) == (0..<6).map { "show d\($0) 3" })
    }

    @Test("have what is theirs in it, and nobody gets it who signs in meanwhile", arguments: StoreEngine.allCases)
    func values(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        try await settleAll(store)
        var named = try revision("Two", to: .users(["u1", "u2"]))
        named.payload = try Payload(aps: Aps(alert: .text("Hello {{name}}"))).encoded()
        named.variables = ["u1": ["name": "Ada"], "u2": ["name": "Bob"]]
        named.texts = MessageTexts(localized: [:], haveVariables: true)
        _ = try await store.accept(named, at: noon)
        // Decided on, and not handed over.
        _ = try await store.claim(everything(limit: 1), at: noon)
        _ = try await store.register(device("d2", user: "u9"), at: noon)
        #expect(try await claimAll(store).compactMap(\.message?.payload.aps.alert) == [.text("Hello Ada")])
    }

    @Test("who is erased is named no more, and what only that user got is emptied", arguments: StoreEngine.allCases)
    func erasure(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        try await settleAll(store)
        let user = UserReference("u1", of: chime.number)
        _ = try await store.accept(try revision("Two", to: .users(["u1", "u2"])), at: noon)
        _ = try await store.erase(user, at: noon)
        let kept = try await store.read {
            try $0.row("SELECT condition FROM ranges")?.text("condition")
        }
        #expect(kept == #"{"users":["u2"]}"#)
        #expect(names(try await claimAll(store).filter { $0.purpose == .show }) == ["show d2 2"])
        _ = try await store.accept(try revision("Three", to: .users(["u2"])), at: noon)
        _ = try await store.erase(UserReference("u2", of: chime.number), at: noon)
        let report = try #require(try await store.report(MessageID(test: "m"), at: noon))
        #expect(report.state == .recalled)
        #expect(try await claimAll(store).allSatisfy { $0.purpose == .removal })
    }

    @Test("wait while the message is paused", arguments: StoreEngine.allCases)
    func paused(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        let reference = MessageReference(MessageID(test: "m"), of: chime.number)
        _ = try await store.accept(try revision("Two", to: .users(["u1"])), at: noon)
        _ = try await store.steer(reference, .pause, at: noon)
        #expect(try await claimAll(store).isEmpty)
        _ = try await store.steer(reference, .resume, at: noon)
        #expect(names(try await claimAll(store)) == ["show d1 2"])
    }
}
