import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("Receipts cost the writer only what they change", .serialized)
struct StoreReceiptTests {
    /// A store with a phone that a message by rows and one by ranges have reached, and what it asks of its engine.
    private func prepared(_ engine: StoreEngine) async throws -> (store: Store, engine: CountingEngine) {
        let plain = try await engine.make(ranges: RangeRules(devices: 1, chunkDevices: 64, sampledDevices: 64))
        try await plain.enrol([device("phone", user: "u1"), device("other", user: "u2")], at: noon)
        _ = try await plain.accept(try message("rows", to: .users(["u1"])), at: noon)
        _ = try await plain.accept(try message("all", to: .everyone, counts: false), at: noon)
        try await plain.deliverAll()
        try await plain.deliverAll()
        let counting = CountingEngine(plain.transactions.engine)
        return (Store(counting, ranges: plain.transactions.ranges), counting)
    }

    private func unknown(_ count: Int) -> [Receipt] { (0..<count).map { receipt(.shown, "unknown-\($0)") } }

    @Test(
        "500 receipts of unknown ids are looked up together, and the writer does not hear of them",
        arguments: StoreEngine.allCases)
    func unknownIDs(_ engine: StoreEngine) async throws {
        let (store, counting) = try await prepared(engine)
        #expect(try await store.record(unknown(500), from: "phone", at: noon).recorded.isEmpty)
        let counts = counting.taken()
        #expect(counts.written.isEmpty)
        #expect(counts.read.count == 1 && counts.read.allSatisfy { $0 < 10 }, "\(counts.read)")
    }

    @Test("receipts that were recorded before do not come to the writer again", arguments: StoreEngine.allCases)
    func repeated(_ engine: StoreEngine) async throws {
        let (store, counting) = try await prepared(engine)
        let receipts = [receipt(.shown, "rows"), receipt(.shown, "all")]
        #expect(try await store.record(receipts + unknown(3), from: "phone", at: noon).recorded == receipts)
        #expect(counting.taken().written.count == 1)
        let others = unknown(StoreLimits.receiptsCheckedSingly)
        #expect(try await store.record(receipts + others, from: "phone", at: noon).recorded.isEmpty)
        // A repetition under another id: of a broadcast, bits say all that it says.
        let again = [receipt(.shown, "all", id: "x")] + others
        #expect(try await store.record(again, from: "phone", at: noon).recorded.isEmpty)
        #expect(counting.taken().written.isEmpty)
    }

    @Test("receipts about messages of others do not come to the writer", arguments: StoreEngine.allCases)
    func foreign(_ engine: StoreEngine) async throws {
        let (store, counting) = try await prepared(engine)
        let others = unknown(StoreLimits.receiptsCheckedSingly)
        #expect(try await store.record([receipt(.shown, "rows")] + others, from: "other", at: noon).recorded.isEmpty)
        #expect(try await store.record([receipt(.shown, "all")] + others, from: "nobody", at: noon).recorded.isEmpty)
        #expect(counting.taken().written.isEmpty)
    }

    @Test(
        "a few useless receipts are refused by the writer's own checks, and change nothing",
        arguments: StoreEngine.allCases)
    func few(_ engine: StoreEngine) async throws {
        let (store, counting) = try await prepared(engine)
        let useless = [receipt(.shown, "rows"), receipt(.shown, "nothing")]
        #expect(try await store.record(useless, from: "other", at: noon).recorded.isEmpty)
        let counts = counting.taken()
        #expect(counts.read.isEmpty && counts.written.count == 1)
    }

    @Test("a call of many receipts is written in transactions of bounded size", arguments: StoreEngine.allCases)
    func steps(_ engine: StoreEngine) async throws {
        let (store, counting) = try await prepared(engine)
        let receipts = (0..<120).map { receipt(.shown, "rows", id: "\($0)") }
        let (outcome, changes) = try await store.hearing { try await $0.record(receipts, from: "phone", at: noon) }
        #expect(outcome.recorded.count == StoreLimits.receiptsPerDeviceAndMessage)
        #expect(changes.timeline.count == outcome.recorded.count)
        #expect(counting.taken().written.count == 3)
    }
}
