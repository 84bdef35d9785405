import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("The queues that metrics show")
struct QueueReadingTests {
    private func store(_ engine: StoreEngine) async throws -> Store {
        let store = try await engine.make(ranges: RangeRules(devices: 3, chunkDevices: 64))
        try await store.enrol((0..<5).map { device("d\($0)", user: "u\($0)") }, at: noon)
        return store
    }

    private func queues(_ store: Store, at now: Timestamp) async throws -> [QueueReading] {
        try await store.upkeep.reading(at: now).queues
    }

    @Test(
        "count an app's due pushes since the oldest, without those that are due later", arguments: StoreEngine.allCases)
    func pushes(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        _ = try await store.accept(try message("m1", to: .users(["u0", "u1"])), at: noon)
        _ = try await store.accept(try message("m2", to: .users(["u2"])), at: noon + .seconds(5))
        var later = try message("m3", to: .users(["u3"]))
        later.sendAt = noon + .seconds(60)
        _ = try await store.accept(later, at: noon)
        #expect(
            try await queues(store, at: noon + .seconds(10)) == [
                QueueReading(kind: .pushes, topic: topic, depth: 3, oldest: noon)
            ])
        try await store.deliverAll(at: noon + .seconds(10))
        #expect(try await queues(store, at: noon + .seconds(10)).isEmpty)
    }

    @Test("count a broadcast's devices until its pushes are claimed, and its removals", arguments: StoreEngine.allCases)
    func broadcasts(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        _ = try await store.accept(try message("m1", to: .everyone, counts: false), at: noon)
        #expect(
            try await queues(store, at: noon) == [
                QueueReading(kind: .broadcasts, topic: topic, depth: 5, oldest: noon)
            ])
        // The rest of the chunk counts as a whole.
        let first = try await store.claim(everything(limit: 2), at: noon)
        #expect(first.deliveries.count == 2)
        let under = try await queues(store, at: noon)
        #expect(under.map(\.kind) == [.broadcasts] && under.map(\.depth) == [64] && under.map(\.oldest) == [noon])
        try await store.settle(first.deliveries.map { $0.settled(at: noon) }, at: noon)
        try await store.deliverAll()
        #expect(try await queues(store, at: noon).isEmpty)
        try await store.recall(MessageID(test: "m1"), at: noon + .seconds(1))
        let removals = try await queues(store, at: noon + .seconds(2))
        #expect(removals.map(\.kind) == [.broadcastRemovals] && removals.map(\.oldest) == [noon + .seconds(1)])
    }

    @Test("count the removals that phones have not confirmed", arguments: StoreEngine.allCases)
    func removals(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        _ = try await store.accept(try message("m1", to: .users(["u0", "u1"])), at: noon)
        try await store.deliverAll()
        try await store.recall(MessageID(test: "m1"), at: noon + .seconds(1))
        try await store.deliverAll(at: noon + .seconds(1))
        #expect(
            try await queues(store, at: noon + .seconds(2)) == [
                QueueReading(kind: .removals, topic: topic, depth: 2, oldest: noon + .seconds(1))
            ])
        _ = try await store.record([receipt(.recalled, "m1")], from: "d0", at: noon + .seconds(3))
        #expect(try await queues(store, at: noon + .seconds(3)).map(\.depth) == [1])
    }

    @Test("the time from APNs' acceptance to shown is known for rows and for chunks", arguments: StoreEngine.allCases)
    func shownAfter(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        _ = try await store.accept(try message("rows", to: .users(["u0"])), at: noon)
        _ = try await store.accept(try message("chunks", to: .everyone, counts: false), at: noon)
        try await store.deliverAll(at: noon + .seconds(1))
        let later = noon + .seconds(5)
        let reports = [
            receipt(.received, "rows", at: later), receipt(.shown, "rows", at: later),
            receipt(.shown, "chunks", at: later),
        ]
        let outcome = try await store.record(reports, from: "d0", at: later)
        #expect(outcome.recorded == reports && outcome.shownAfter == [.seconds(4), .seconds(4)])
        #expect(try await store.record(reports, from: "d0", at: later).shownAfter.isEmpty)
    }

    @Test("the log is told once that a broadcast begins and that it has ended", arguments: StoreEngine.allCases)
    func news(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        var log = BroadcastLog()
        func lines() async throws -> [String] {
            log.received(try await store.upkeep.broadcasts(after: log.newest, log.watched)).map {
                "\($0.broadcast.id) \($0.isEnd ? "ends" : "begins")"
            }
        }
        #expect(try await lines().isEmpty)
        var scheduled = try message("later", to: .everyone, counts: false)
        scheduled.sendAt = noon + .seconds(60)
        _ = try await store.accept(scheduled, at: noon)
        _ = try await store.accept(try message("now", to: .everyone, counts: false), at: noon)
        #expect(try await lines().isEmpty)
        let first = try await store.claim(everything(limit: 2), at: noon)
        #expect(try await lines() == ["now begins"])
        try await store.settle(first.deliveries.map { $0.settled(at: noon) }, at: noon)
        try await store.deliverAll()
        #expect(try await lines() == ["now ends"])
        #expect(try await lines().isEmpty)
        // It begins and ends between two looks.
        try await store.deliverAll(at: noon + .seconds(60))
        #expect(try await lines() == ["later begins", "later ends"])
        #expect(try await lines().isEmpty)
    }

    @Test("a broadcast of an app that is removed is watched no more", arguments: StoreEngine.allCases)
    func removedApp(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        var log = BroadcastLog()
        _ = log.received(try await store.upkeep.broadcasts(after: log.newest, log.watched))
        _ = try await store.accept(try message("now", to: .everyone, counts: false), at: noon)
        _ = try await store.claim(everything(limit: 2), at: noon)
        #expect(log.received(try await store.upkeep.broadcasts(after: log.newest, log.watched)).count == 1)
        #expect(log.watched.count == 1)
        let isRemoved = try await store.apps.remove(chime, by: AuditActor("test"), at: noon)
        #expect(isRemoved)
        #expect(log.received(try await store.upkeep.broadcasts(after: log.newest, log.watched)).isEmpty)
        #expect(log.watched.isEmpty)
    }

    @Test("the log is told of no more broadcasts at once than its limit")
    func manyBroadcasts() {
        var log = BroadcastLog()
        let news = BroadcastNews(
            newest: 1,
            broadcasts: (0...ServiceLimits.watchedBroadcasts).map {
                BroadcastNews.Broadcast(
                    number: Int64($0), id: MessageID(test: "m\($0)"), topic: topic, began: noon, isUnderWay: true)
            }, waiting: [])
        #expect(log.received(news).count == ServiceLimits.watchedBroadcasts)
        #expect(log.received(news).isEmpty)
    }
}
