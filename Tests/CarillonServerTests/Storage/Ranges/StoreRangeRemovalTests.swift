import CarillonCore
import Testing

@testable import CarillonServer

@Suite("Removals of messages that are sent by ranges", .serialized)
struct StoreRangeRemovalTests {
    /// A store in which messages have gone to all of an app's devices, in chunks of four.
    private func store(
        _ engine: StoreEngine, devices: Int = 6, _ messages: [String] = ["m"], until: Timestamp? = nil
    ) async throws -> any Store {
        let store = try await engine.make(ranges: RangeRules(devices: 3, chunkDevices: 4))
        for number in 0..<devices { try await store.enrol(device("d\(number)", user: "u\(number)"), at: noon) }
        for id in messages {
            var new = try message(id, to: .everyone, until: until, counts: false)
            new.removesExpired = until != nil
            _ = try await store.accept(new, at: noon)
        }
        try await store.settle(try await claimAll(store).map { $0.settled() }, at: noon)
        return store
    }

    private func claimAll(_ store: any Store, _ worker: String = "w", at now: Timestamp = noon) async throws
        -> [ClaimedDelivery]
    {
        var found: [ClaimedDelivery] = []
        while true {
            let claim = try await store.claim(everything(worker: worker), at: now)
            found += claim.deliveries
            if claim.examined == 0 { return found.sorted { $0.device < $1.device } }
        }
    }

    private func rows(_ store: any Store) async throws -> Int {
        try await #require(store as? any TransactionalStore).read { try $0.integer("SELECT count(*) FROM deliveries") }
    }

    @Test(
        "have a row while they are in flight, and a longer one where they are tried again",
        arguments: StoreEngine.allCases)
    func rowsInFlight(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        _ = try await store.recall(MessageID(test: "m"), at: noon)
        #expect(try await rows(store) == 0)
        let pushes = try await claimAll(store)
        #expect(pushes.map { "\($0.purpose) \($0.device) \($0.attempt)" } == (0..<6).map { "removal d\($0) 1" })
        #expect(Set(pushes.map(\.number)).count == 6)
        #expect(pushes.allSatisfy { $0.removals.map(\.reason) == [.recall] && !$0.hasUnanswered && $0.unread == 0 })
        #expect(try await rows(store) == 6)
        let outcomes: [SendOutcome] = [.unanswered("late"), rejected("Unregistered", 410, since: noon + .seconds(9))]
        try await store.settle(zip(pushes, outcomes).map { $0.settled($1) }, at: noon)
        try await store.settle(pushes.dropFirst(2).map { $0.settled() }, at: noon)
        #expect(try await rows(store) == 1)
        #expect(try await store.device("d1")?.state == .unregistered)
        let later = noon + .seconds(60)
        let again = try await claimAll(store, at: later)
        #expect(again.map { "\($0.device) \($0.attempt) \($0.revision)" } == ["d0 2 \(pushes[0].revision)"])
        try await store.settle(again.map { $0.settled(at: later) }, at: later)
        #expect(try await rows(store) == 0)
        #expect(try await store.nextDue(except: []) == nil)
    }

    @Test("go again when their sender is gone", arguments: StoreEngine.allCases)
    func lapse(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        _ = try await store.recall(MessageID(test: "m"), at: noon)
        let first = try await claimAll(store)
        try await store.settle(first.prefix(4).map { $0.settled() }, at: noon)
        let release = try await store.release(try await store.sender("w"), ifStillAt: nil, limit: 100, at: noon)
        #expect(release.count == 2 && release.isDone)
        #expect(try await claimAll(store, "other").map { "\($0.device) \($0.attempt)" } == ["d4 2", "d5 2"])
    }

    @Test("of several messages travel in one push", arguments: StoreEngine.allCases)
    func together(_ engine: StoreEngine) async throws {
        let until = noon + .seconds(60)
        let store = try await store(engine, ["a", "b", "c"], until: until)
        // One of them waits already, and goes with the rest.
        try await store.settle(try await claimAll(store).map { $0.settled() }, at: noon)
        _ = try await store.record([receipt(.dismissed, "a")], from: "d0", at: noon)
        let pushes = try await claimAll(store, at: until)
        #expect(pushes.map(\.device) == (0..<6).map { "d\($0)" })
        #expect(
            pushes.map { $0.removals.map(\.message.rawValue) } == [["b", "c"]]
                + Array(repeating: ["a", "b", "c"], count: 5))
        try await store.settle(pushes.map { $0.settled(.notSent("no connection"), at: until) }, at: until)
        // What waits to be tried again says it too.
        let new = try message("d", to: .everyone, counts: false)
        _ = try await store.accept(new, at: until)
        try await store.settle(try await claimAll(store, at: until).map { $0.settled(at: until) }, at: until)
        _ = try await store.recall(MessageID(test: "d"), at: until)
        #expect(try await claimAll(store, at: until).isEmpty)
        let later = until + .seconds(60)
        let again = try await claimAll(store, at: later)
        #expect(again.count == 6 && again.allSatisfy { $0.removals.contains { $0.message.rawValue == "d" } })
    }

    @Test("leave single messages their places, and keep to the app's rate", arguments: StoreEngine.allCases)
    func places(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        _ = try await store.recall(MessageID(test: "m"), at: noon)
        _ = try await store.accept(try message("one", to: .users(["u0"]), counts: false), at: noon)
        let sender = try await store.sender("w")
        let none = try await store.claim(ClaimRequest(sender: sender, limit: 100, bulkLimit: 0), at: noon).deliveries
        #expect(none.map { "\($0.purpose) \($0.device)" } == ["show d0"])
        let two = try await store.claim(ClaimRequest(sender: sender, limit: 100, bulkLimit: 2), at: noon).deliveries
        #expect(two.map(\.device) == ["d0", "d1"] && two.allSatisfy { $0.lane == .bulk })
        var settings = AppSettings(topic: topic)
        settings.sendsPerSecond = 3
        _ = try await store.put(settings, at: noon)
        let later = noon + .seconds(10)
        let three = try await store.claim(ClaimRequest(sender: sender, limit: 100), at: later)
        #expect(three.deliveries.count == 3)
        #expect(try await store.claim(ClaimRequest(sender: sender, limit: 100), at: later).deliveries.isEmpty)
    }

    @Test("go alone to who has moved, and to nobody who cannot be reached", arguments: StoreEngine.allCases)
    func moved(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        _ = try await store.change("d1", DeviceUpdate(environment: .production, facts: [:], nonce: "n"), at: noon)
        _ = try await store.delete("d2", at: noon)
        _ = try await store.recall(MessageID(test: "m"), at: noon)
        let pushes = try await claimAll(store).filter { $0.purpose == .removal }
        #expect(
            pushes.map { "\($0.device) \($0.app.environment)" } == [
                "d0 sandbox", "d1 production", "d3 sandbox", "d4 sandbox", "d5 sandbox",
            ])
    }

    @Test("are not sent when APNs keeps nothing of the message any more", arguments: StoreEngine.allCases)
    func late(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        _ = try await store.recall(MessageID(test: "m"), at: noon)
        let late = noon + ServiceLimits.deliveryLifetime + .seconds(1)
        #expect(try await claimAll(store, at: late).isEmpty)
        #expect(try await rows(store) == 0)
        #expect(try await store.nextDue(except: []) == nil)
    }

    @Test("in Pushwoosh's format name one message each", arguments: StoreEngine.allCases)
    func pushwoosh(_ engine: StoreEngine) async throws {
        let store = try await store(engine, [])
        var new = try message("p", to: .everyone, counts: false)
        new.dialect = .pushwoosh
        _ = try await store.accept(new, at: noon)
        try await store.settle(try await claimAll(store).map { $0.settled() }, at: noon)
        _ = try await store.recall(MessageID(test: "p"), at: noon)
        let pushes = try await claimAll(store)
        #expect(pushes.count == 6 && pushes.allSatisfy { $0.purpose == .removal && $0.message?.id.rawValue == "p" })
    }
}
