import CarillonCore
import Foundation
import GRDB
import Testing

@testable import CarillonServer

@Suite("A second push of a message that is sent by ranges", .serialized)
struct StoreFollowUpTests {
    private static let reference = MessageReference(MessageID(test: "m"), of: chime.number)
    private static let wait = DeliveryLimits.broadcastAssuredWait

    private func store(_ engine: StoreEngine, devices: Int = 6) async throws -> Store {
        let store = try await engine.make(ranges: RangeRules(devices: 3, chunkDevices: 4))
        for number in 0..<devices { try await store.enrol(device("d\(number)", user: "u\(number)"), at: noon) }
        return store
    }

    private func claimAll(_ store: Store, at now: Timestamp = noon) async throws -> [ClaimedDelivery] {
        var found: [ClaimedDelivery] = []
        while true {
            let claim = try await store.claim(everything(), at: now)
            found += claim.deliveries
            if claim.examined == 0 { return found.sorted { $0.device < $1.device } }
        }
    }

    private func names(_ claims: [ClaimedDelivery]) -> [String] { claims.map { "\($0.purpose) \($0.device)" } }

    private func rows(_ store: Store) async throws -> Int {
        try await store.read { try $0.integer("SELECT count(*) FROM deliveries") }
    }

    /// An assured message that each device was sent, and APNs has accepted for all of them.
    private func sentAssured(_ engine: StoreEngine, until: Timestamp? = nil) async throws -> Store {
        let store = try await store(engine)
        let new = try message("m", to: .everyone, mode: .assured, until: until, counts: false)
        guard case .accepted(let answer) = try await store.accept(new, at: noon) else { return store }
        #expect(answer.devices == nil)
        try await store.settle(try await claimAll(store).map { $0.settled() }, at: noon)
        #expect(try await rows(store) == 0)
        return store
    }

    @Test("goes, once, to those who have not answered when their chunk's moment comes", arguments: StoreEngine.allCases)
    func assured(_ engine: StoreEngine) async throws {
        let store = try await sentAssured(engine)
        #expect(try await store.nextDue(except: []) == noon + Self.wait)
        for (id, event) in [("d0", ReceiptEvent.shown), ("d1", .received), ("d4", .opened)] {
            _ = try await store.record([receipt(event, "m")], from: id, at: noon)
        }
        #expect(try await rows(store) == 0)
        #expect(try await claimAll(store, at: noon + Self.wait - .milliseconds(1)).isEmpty)
        let due = noon + Self.wait
        let second = try await claimAll(store, at: due)
        #expect(names(second) == ["fallback d1", "fallback d2", "fallback d3", "fallback d5"])
        try await store.settle(second.map { $0.settled(at: due) }, at: due)
        #expect(try await claimAll(store, at: due + Self.wait + Self.wait).isEmpty)
        #expect(try await store.nextDue(except: []) == nil)
        // Who shows the first after the second has come had two alerts.
        _ = try await store.record([receipt(.shown, "m", at: noon)], from: "d2", at: due)
        let counts = try #require(try await store.report(MessageID(test: "m"), at: due)).counts
        #expect(counts.accepted == 6 && counts.shown == 2 && counts.secondAlerts == 1 && counts.queued == 0)
        #expect(try await store.kinds("m", on: "d2").contains(.accepted))
    }

    @Test("does not go where the message was recalled, cancelled or has expired", arguments: StoreEngine.allCases)
    func notWanted(_ engine: StoreEngine) async throws {
        let due = noon + Self.wait
        let expired = try await sentAssured(engine, until: due)
        #expect(try await claimAll(expired, at: due).isEmpty)
        #expect(try await rows(expired) == 0)
        let recalled = try await sentAssured(engine)
        _ = try await recalled.recall(MessageID(test: "m"), at: noon)
        #expect(try await claimAll(recalled, at: due).allSatisfy { $0.purpose == .removal })
        let cancelled = try await sentAssured(engine)
        _ = try await cancelled.steer(Self.reference, .cancel, at: noon)
        #expect(try await claimAll(cancelled, at: due).isEmpty)
        #expect(try await cancelled.report(MessageID(test: "m"), at: due)?.state == .cancelled)
    }

    @Test("costs a sender nothing while the app has sent what it may in a second", arguments: StoreEngine.allCases)
    func limited(_ engine: StoreEngine) async throws {
        let store = try await sentAssured(engine)
        _ = try await store.put(AppSettings(topic: chime.topic, sendsPerSecond: 1), at: noon)
        var claims: [Claim] = []
        for _ in 0..<6 { claims.append(try await store.claim(everything(limit: 2), at: noon + Self.wait)) }
        #expect(claims.map(\.deliveries.count) == [1, 0, 0, 0, 0, 0])
        #expect(claims.last?.examined == 0, "it would look again at once")
    }

    @Test("waits while its message is paused, and is not old before it has gone", arguments: StoreEngine.allCases)
    func paused(_ engine: StoreEngine) async throws {
        let (store, due) = (try await sentAssured(engine), noon + Self.wait)
        #expect(try await store.purge(before: due, limit: 9) == 0)
        _ = try await store.steer(Self.reference, .pause, at: noon)
        #expect(try await claimAll(store, at: due).isEmpty)
        #expect(try await store.nextDue(except: []) == nil)
        _ = try await store.steer(Self.reference, .resume, at: due)
        #expect(try await claimAll(store, at: due).count == 6)
    }

    @Test(
        "goes out as a notice of a message that was paused and cancelled before it was recalled",
        arguments: StoreEngine.allCases)
    func pausedAndCancelled(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        _ = try await store.accept(try message("m", to: .everyone, counts: false), at: noon)
        let reached = try await store.claim(everything(limit: 3), at: noon).deliveries
        try await store.settle(reached.map { $0.settled() }, at: noon)
        for change in [SendingChange.pause, .cancel] { _ = try await store.steer(Self.reference, change, at: noon) }
        let notice = RecallNotice(title: "Taken back", body: nil)
        _ = try await store.recall(Self.reference, notice: notice, at: noon)
        let removals = try await claimAll(store)
        #expect(names(removals) == ["removal d0", "removal d1", "removal d2"])
        try await store.settle(removals.map { $0.settled() }, at: noon)
        let due = noon + SendingRules().assuredWait
        let notices = try await claimAll(store, at: due)
        #expect(names(notices) == ["notice d0", "notice d1", "notice d2"])
        try await store.settle(notices.map { $0.settled(at: due) }, at: due)
        #expect(try await store.nextDue(except: []) == nil)
        #expect(try await store.purge(before: due, limit: 9) == 1)
    }

    @Test(
        "goes when the clock was set back, and so does a first one that nobody scheduled",
        arguments: StoreEngine.allCases)
    func clockSetBack(_ engine: StoreEngine) async throws {
        let store = try await sentAssured(engine)
        _ = try await store.accept(try message("n", to: .everyone, counts: false), at: noon + .seconds(60))
        var scheduled = try message("s", to: .everyone, counts: false)
        scheduled.sendAt = noon + .seconds(60)
        _ = try await store.accept(scheduled, at: noon)
        let earlier = try await claimAll(store, at: noon - .seconds(86_400))
        #expect(earlier.count { $0.purpose == .fallback } == 6)
        #expect(
            earlier.filter { $0.purpose == .show }.map { $0.message?.id.rawValue } == Array(repeating: "n", count: 6))
    }

    @Test("a removal that is due goes once, with one that waits already", arguments: StoreEngine.allCases)
    func removalsTogether(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        var ending = try message("m", to: .everyone, until: noon + .seconds(60), counts: false)
        ending.removesExpired = true
        for new in [ending, try message("other", to: .devices(["d0"]), counts: false)] {
            _ = try await store.accept(new, at: noon)
        }
        try await store.settle(try await claimAll(store).map { $0.settled() }, at: noon)
        _ = try await store.recall(MessageID(test: "other"), at: noon)
        let removals = try await claimAll(store, at: noon + .seconds(60)).filter { $0.device == "d0" }
        #expect(removals.map { $0.removals.map(\.message.rawValue) } == [["m", "other"]])
    }

    @Test("goes at once to a device that has not answered the last ones", arguments: StoreEngine.allCases)
    func atOnce(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        try await store.write(at: noon) {
            try $0.execute("UPDATE devices SET silent_unanswered = 3 WHERE id = 'd2'")
        }
        _ = try await store.accept(try message("m", to: .everyone, mode: .assured, counts: false), at: noon)
        try await store.settle(try await claimAll(store).map { $0.settled() }, at: noon)
        #expect(names(try await claimAll(store)) == ["fallback d2"])
        #expect(try await claimAll(store, at: noon + Self.wait).count == 5)
    }

    @Test("of a device that is gone, or whose token is no longer valid, is none", arguments: StoreEngine.allCases)
    func gone(_ engine: StoreEngine) async throws {
        let store = try await sentAssured(engine)
        _ = try await store.delete("d0", at: noon)
        _ = try await store.accept(try message("single", to: .devices(["d1"]), counts: false), at: noon)
        let single = try await claimAll(store)
        try await store.settle(
            single.map { $0.settled(rejected("Unregistered", 410, since: noon + .seconds(9))) }, at: noon)
        #expect(try await claimAll(store, at: noon + Self.wait).map(\.device) == ["d2", "d3", "d4", "d5"])
        #expect(try await store.nextDue(except: []) == nil)
    }

    @Test(
        "is the notice of a recall, for those who have not confirmed that it is gone", arguments: StoreEngine.allCases)
    func notice(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        try await store.write(at: noon) {
            try $0.execute("UPDATE devices SET silent_unanswered = 3 WHERE id = 'd5'")
        }
        _ = try await store.accept(try message("m", to: .everyone, counts: false), at: noon)
        let first = try await claimAll(store)
        // One stays in flight.
        try await store.settle(first.dropFirst().map { $0.settled() }, at: noon)
        _ = try await store.record([receipt(.dismissed, "m")], from: "d1", at: noon)
        _ = try await store.steer(Self.reference, .pause, at: noon)
        _ = try await store.recall(
            Self.reference, notice: RecallNotice(title: "Taken back", body: nil), SendingRules(), at: noon)
        let removals = try await claimAll(store)
        #expect(
            Set(names(removals)) == ["removal d1", "removal d2", "removal d3", "removal d4", "removal d5", "notice d5"])
        _ = try await store.record([receipt(.recalled, "m")], from: "d2", at: noon)
        let due = noon + DeliveryLimits.assuredWait
        try await store.settle([first[0].settled(at: due)], at: due)
        let notices = try await claimAll(store, at: due)
        #expect(names(notices) == ["removal d0", "notice d3", "notice d4"])
        #expect(notices.last?.message?.notice?.title == "Taken back")
        try await store.settle(notices.map { $0.settled(at: due) }, at: due)
        #expect(names(try await claimAll(store, at: due + DeliveryLimits.assuredWait)) == ["notice d0"])
        let answer = try #require(try await store.recallAnswer(MessageID(test: "m"), limit: 9))
        #expect(answer.recall["replaced"] == 2 && answer.recall["confirmed"] == 1)
    }

    @Test("a push asks what is to be removed with as many statements, however many broadcasts were recalled")
    func statements() async throws {
        let store = try await StoreEngine.sqlite.make(ranges: RangeRules(devices: 1, chunkDevices: 4))
        for number in 0..<3 { try await store.enrol(device("d\(number)"), at: noon) }
        var counts: [Int] = []
        for number in 0..<20 {
            let id = MessageID(test: "m\(number)")
            _ = try await store.accept(try message(id.rawValue, to: .everyone, counts: false), at: noon)
            try await store.settle(try await claimAll(store).map { $0.settled() }, at: noon)
            _ = try await store.recall(id, at: noon)
            _ = try await store.record([receipt(.recalled, id.rawValue)], from: "d0", at: noon)
            counts.append(
                try await store.write(at: noon) { transaction in
                    let log = SharedValue(0)
                    let db = try #require(transaction.connection as? SQLiteSession).db
                    db.trace(options: .statement) { _ in log.withLock { $0 += 1 } }
                    defer { db.trace(options: []) }
                    let open = try OwnPushes(transaction).openRemovals(of: "d0", limit: 9)
                    #expect(open.isEmpty)
                    return log.withLock { $0 }
                })
        }
        #expect(counts.first == counts.last && counts.allSatisfy { $0 <= 5 }, "\(counts)")
    }
}
