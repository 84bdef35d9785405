import CarillonCore
import Foundation
import GRDB
import Testing

@testable import CarillonServer

@Suite("A store purges what is old, and keeps the rest", .serialized)
struct StoreHousekeepingTests {
    @Test(
        "purging takes what is old and done, in bounded steps, with all that belongs to it",
        arguments: StoreEngine.allCases)
    func purge(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        _ = try await store.enrol(device("phone", user: "u1"), at: noon)
        for id in ["a", "b"] { _ = try await store.accept(try message(id, to: .users(["u1"])), at: noon) }
        try await store.deliverAll()
        let later = noon + .seconds(100)
        _ = try await store.accept(try message("new", to: .users(["u1"])), at: later)
        #expect(try await store.purge(before: later, limit: 1) == 1)
        #expect(try await store.purge(before: later, limit: 5) == 1)
        #expect(try await store.purge(before: later, limit: 5) == 0)
        #expect(try await store.report(MessageID(test: "a"), at: later) == nil)
        #expect(try await store.timeline(MessageID(test: "b"), after: nil, limit: 5, at: later) == nil)
        #expect(try await store.sync("phone", limit: 5, at: later)?.unread == 1)
    }

    @Test(
        "a device to which nothing could be sent for the whole retention is deleted, and one that has called since is not",
        arguments: StoreEngine.allCases)
    func purgeDevices(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        let names = ["gone", "called", "active", "again", "quarantined", "released"]
        try await store.enrol(names.map { device($0, user: $0) }, at: noon)
        for name in names where name != "active" {
            _ = try await store.accept(try message("m-\(name)", to: .users([name])), at: noon)
            let claimed = try await store.claim(everything(worker: "a"), at: noon).deliveries
            let isUnknown = ["quarantined", "released"].contains(name)
            let answer: SendOutcome =
                isUnknown ? rejected("BadDeviceToken", 400) : rejected("Unregistered", 410, since: noon + .seconds(1))
            try await store.settle(claimed.map { $0.settled(answer) }, at: noon)
        }
        // The holder of another's token has none of its own from the beginning.
        _ = try await store.register(device("claims", token: Data("active".utf8).hexadecimal, secret: 2), at: noon)
        let again = try await store.write(at: noon) { try DevicesTable($0).release(["released"]) }
        #expect(again == 1)
        let later = noon + .seconds(100)
        _ = try await store.register(device("again", user: "again", token: "bb"), at: later)
        _ = try await store.change("called", DeviceUpdate(facts: [:], nonce: "n"), at: later)
        #expect(try await store.upkeep.purgeDevices(before: noon, at: noon) == 0)
        #expect(try await store.upkeep.purgeDevices(before: later, at: later) == 3)
        var left: [String] = []
        for name in names + ["claims"] where try await store.device(name) != nil { left.append(name) }
        #expect(left == ["called", "active", "again", "released"])
        #expect(try await store.kinds("m-gone", on: "gone").last == .rejected, "the message is not old")
        #expect(
            try await store.upkeep.purgeDevices(before: later + .seconds(1), at: later + .seconds(1)) == 1,
            "the one that has called")
    }

    @Test("what still waits to be sent is not purged, however old", arguments: StoreEngine.allCases)
    func waiting(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        _ = try await store.enrol(device("phone", user: "u1"), at: noon)
        _ = try await store.accept(try message("a", to: .users(["u1"])), at: noon)
        #expect(try await store.purge(before: noon + .seconds(100), limit: 5) == 0)
    }

    @Test("what is sent again after it was found to be old stays", arguments: StoreEngine.allCases)
    func sentAgain(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        _ = try await store.enrol(device("phone", user: "u1"), at: noon)
        _ = try await store.accept(try message("a", to: .users(["u1"])), at: noon)
        try await store.deliverAll()
        let later = noon + .seconds(100)
        let old = try await store.read(at: later) { try Purging($0).oldMessages(limit: 5) }
        _ = try await store.accept(try message("a", to: .users(["u1"]), text: "again"), at: later)
        let isDone = try await store.write(at: later) { session in try old.map { try Purging(session).purge($0) } }
        #expect(isDone == [true])
        #expect(try await store.report(MessageID(test: "a"), at: later)?.revision == 2)
    }

    @Test("an old idempotency key may be used again", arguments: StoreEngine.allCases)
    func idempotency(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        _ = try await store.accept(try message("a", to: .users(["u1"]), key: "k"), at: noon)
        _ = try await store.purge(before: noon + .seconds(1), limit: 5)
        let again = try await store.accept(try message("b", to: .users(["u1"]), text: "x", key: "k"), at: noon)
        guard case .accepted = again else {
            Issue.record("still taken: \(again)")
            return
        }
    }

    @Test(
        "an inbox has the newest first, in pages, without what was recalled or has expired",
        arguments: StoreEngine.allCases)
    func inbox(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        for index in 0..<6 {
            let until = index == 3 ? noon + .seconds(1) : nil
            _ = try await store.accept(try message("m\(index)", to: .users(["u1"]), until: until), at: noon)
        }
        _ = try await store.recall(MessageID(test: "m4"), at: noon)
        _ = try await store.markRead(.messages([MessageID(test: "m5")]), user: "u1", on: nil, at: noon)
        let later = noon + .seconds(1)
        let first = try await store.inbox(user: "u1", before: nil, limit: 2, at: later)
        #expect(first.map(\.id.rawValue) == ["m5", "m2"])
        #expect(first.map { $0.readAt != nil } == [true, false])
        let rest = try await store.inbox(user: "u1", before: first.last?.number, limit: 5, at: later)
        #expect(rest.map(\.id.rawValue) == ["m1", "m0"])
    }

    @Test("a database that is opened again has everything, and syncs every commit to the disk")
    func reopened() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let path = folder.url.appending(path: "carillon.sqlite").path
        let first = Store(try SQLiteEngine(path: path))
        _ = try await first.put(AppSettings(topic: topic), at: noon)
        _ = try await first.accept(try message("a", to: .users(["u1"])), at: noon)
        try first.close()
        let second = Store(try SQLiteEngine(path: path))
        #expect(try await second.report(MessageID(test: "a"), at: noon)?.state == .sent)
        let level = try await second.sqlite.pool.writeWithoutTransaction {
            try Int.fetchOne($0, sql: "PRAGMA synchronous")
        }
        #expect(level == 2)
    }

    @Test(
        "a message that waits for ever goes too, once it could not be sent any more", arguments: StoreEngine.allCases)
    func purgeWaiting(_ engine: StoreEngine) async throws {
        let store = try await engine.make(ranges: RangeRules(devices: 1, chunkDevices: 4))
        try await store.enrol([device("a", user: "u1"), device("b", user: "u2")], at: noon)
        _ = try await store.accept(try message("stopped", to: .users(["u1"])), at: noon)
        _ = try await store.accept(try message("paused", to: .everyone, counts: false), at: noon)
        _ = try await store.steer(MessageReference(MessageID(test: "paused"), of: chime.number), .pause, at: noon)
        let late = noon + .seconds(1)
        #expect(try await store.purge(before: late, limit: 5) == 0)
        #expect(try await store.purge(before: late + DeliveryLimits.deliveryLifetime, limit: 5) == 2)
        #expect(try await store.report(MessageID(test: "paused"), at: late) == nil)
        #expect(try await store.nextDue(except: []) == nil)
        #expect(try await store.read { try $0.integer("SELECT count(*) FROM work WHERE message IS NOT NULL") } == 0)
    }
}
