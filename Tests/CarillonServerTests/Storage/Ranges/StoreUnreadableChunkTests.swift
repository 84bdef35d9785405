import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("A chunk that cannot be read holds up nobody", .serialized)
struct StoreUnreadableChunkTests {
    /// A store whose broadcasts go to six devices in two chunks.
    private func store(_ engine: StoreEngine) async throws -> Store {
        let store = try await engine.make(ranges: RangeRules(devices: 3, chunkDevices: 4))
        for number in 0..<6 { try await store.enrol(device("d\(number)", user: "u\(number)"), at: noon) }
        return store
    }

    private func broadcast(_ id: String, mode: DeliveryMode = .visible, until: Timestamp? = nil) throws -> NewMessage {
        var message = try message(id, to: .everyone, mode: mode, until: until, counts: false)
        message.removesExpired = until != nil
        return message
    }

    private func claimAll(_ store: Store, at now: Timestamp = noon) async throws -> [ClaimedDelivery] {
        var found: [ClaimedDelivery] = []
        while true {
            let claim = try await store.claim(everything(), at: now)
            found += claim.deliveries
            if claim.examined == 0 { return found }
        }
    }

    /// Damages the first chunk of a message, as a disk may.
    private func damage(_ store: Store, _ message: String) async throws {
        try await store.write(at: noon) {
            try $0.execute(
                """
                UPDATE chunks SET marks = ? WHERE first = 1
                    AND message = (SELECT number FROM messages WHERE id = ?)
                """, [Data([0xff, 0xff]), message])
        }
    }

    private func sent(_ store: Store, _ message: NewMessage) async throws {
        _ = try await store.accept(message, at: noon)
        try await store.settle(try await claimAll(store).map { $0.settled() }, at: noon)
    }

    @Test("whose second pushes are due: other apps' messages go out", arguments: StoreEngine.allCases)
    func followUp(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        try await sent(store, try broadcast("m", mode: .assured))
        try await damage(store, "m")
        let due = noon + DeliveryLimits.broadcastAssuredWait
        try await store.enrol(device("f", user: "f", app: ferry), at: due)
        _ = try await store.accept(try message("other", to: .users(["f"]), app: ferry), at: due)
        let claimed = try await claimAll(store, at: due)
        #expect(claimed.count { $0.app.topic == ferry.topic } == 1)
        #expect(claimed.count { $0.purpose == .fallback } == 2, "those of the other chunk")
        #expect(try await store.health().setAside == 1)
        #expect(try await store.setAside(limit: 9).map(\.message) == ["m"])
    }

    @Test("with removals to be sent: the other chunk's removals go out", arguments: StoreEngine.allCases)
    func removal(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        try await sent(store, try broadcast("m"))
        try await store.recall(MessageID(test: "m"), at: noon)
        try await damage(store, "m")
        #expect(Set(try await claimAll(store).map(\.device)) == ["d4", "d5"])
        #expect(try await store.health().setAside == 1)
        #expect(try await store.sync("d0", limit: 9, at: noon)?.removals.isEmpty == true)
        #expect(try await store.nextDue(except: []) == nil)
    }

    @Test("when its message is recalled: the other chunk's devices are told", arguments: StoreEngine.allCases)
    func recall(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        try await sent(store, try broadcast("m"))
        try await damage(store, "m")
        try await store.recall(MessageID(test: "m"), at: noon)
        #expect(Set(try await claimAll(store).map(\.device)) == ["d4", "d5"])
        #expect(try await store.report(MessageID(test: "m"), at: noon)?.state == .recalled)
        #expect(try await store.timeline(MessageID(test: "m"), after: nil, limit: 9, at: noon)?.devices.count == 2)
    }

    @Test(
        "when its outcomes come: those of others are kept, and a token that is gone is retired",
        arguments: StoreEngine.allCases)
    func outcomes(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        _ = try await store.accept(try broadcast("bad"), at: noon)
        _ = try await store.accept(try broadcast("good"), at: noon)
        let claimed = try await claimAll(store)
        #expect(claimed.count == 12)
        try await damage(store, "bad")
        let gone = claimed.map { push in
            push.device == "d0" && push.message?.id.rawValue == "bad"
                ? push.settled(rejected("Unregistered", 410, since: noon)) : push.settled()
        }
        try await store.settle(gone, at: noon)
        #expect(try await store.report(MessageID(test: "good"), at: noon)?.counts.accepted == 6)
        #expect(try await store.report(MessageID(test: "bad"), at: noon)?.counts.accepted == 2)
        #expect(try await store.device("d0")?.state == .unregistered)
        #expect(try await store.health().setAside == 1)
    }

    @Test("when its sender is gone: what else the sender had is sent again", arguments: StoreEngine.allCases)
    func takeOver(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        _ = try await store.accept(try broadcast("m"), at: noon)
        #expect(try await claimAll(store).count == 6)
        try await damage(store, "m")
        let release = try await store.release(try await store.sender("w"), ifStillAt: nil, limit: 100, at: noon)
        #expect(release.count == 2 && release.isDone)
        #expect(try await store.claim(everything(worker: "x"), at: noon).deliveries.map(\.attempt) == [2, 2])
    }

    @Test(
        "when a phone reports or asks: it is answered, and its other receipts are kept", arguments: StoreEngine.allCases
    )
    func phone(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        try await sent(store, try broadcast("bad"))
        try await sent(store, try broadcast("good"))
        try await damage(store, "bad")
        let receipts = [receipt(.shown, "bad"), receipt(.shown, "good")]
        #expect(try await store.record(receipts, from: "d0", at: noon).recorded == [receipts[1]])
        #expect(try await store.sync("d0", limit: 9, at: noon) != nil)
    }

    @Test("once it is mended it goes on, and as long as it is not, the others do", arguments: StoreEngine.allCases)
    func retry(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        for id in ["one", "two"] { _ = try await store.accept(try broadcast(id), at: noon) }
        // Planned, and nothing handed over.
        var request = ClaimRequest(sender: try await store.sender("w"), limit: 1, bulkLimit: 1)
        request.except = []
        _ = try await store.claim(request, at: noon)
        for id in ["one", "two"] { try await damage(store, id) }
        let whole = try await store.read { try $0.rows("SELECT number, marks FROM chunks WHERE first = 1") }
        #expect(whole.isEmpty == false)
        _ = try await claimAll(store)
        let before = try await store.health().setAside
        #expect(before >= 1)
        #expect(try await store.retrySetAside(at: noon) == before)
        #expect(try await store.health().setAside == before, "they are set aside again, one by one")
    }
}
