import CarillonCore
import Testing

@testable import CarillonServer

@Suite("Removals of messages that are sent by ranges", .serialized)
struct StoreRangeRemovalTests {
    /// A store in which messages have gone to all of an app's devices, in chunks of four.
    private func store(
        _ engine: StoreEngine, devices: Int = 6, _ messages: [String] = ["m"], until: Timestamp? = nil
    ) async throws -> Store {
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

    private func claimAll(_ store: Store, _ worker: String = "w", at now: Timestamp = noon) async throws
        -> [ClaimedDelivery]
    {
        var found: [ClaimedDelivery] = []
        while true {
            let claim = try await store.claim(everything(worker: worker), at: now)
            found += claim.deliveries
            if claim.examined == 0 { return found.sorted { $0.device < $1.device } }
        }
    }

    private func rows(_ store: Store, _ table: String = "deliveries") async throws -> Int {
        try await store.read { try $0.integer("SELECT count(*) FROM \(table)") }
    }

    private func apnsID(_ push: ClaimedDelivery) throws -> String {
        try PushComposer.compose(push, at: noon).apnsID.lowercased
    }

    /// Returns the timeline's events about the pushes that remove a message from a device.
    private func told(_ store: Store, _ message: String, on device: String, at now: Timestamp = noon) async throws
        -> [String]
    {
        let timeline = try await store.timeline(MessageID(test: message), after: nil, limit: 100, at: now)
        let events = timeline?.devices.first { $0.device == device }?.events ?? []
        return events.filter { $0.purpose == .removal }.map {
            "\($0.event) \($0.revision) \($0.attempt ?? 0) \($0.detail ?? "-")"
        }
    }

    @Test(
        "travel with the next message's push, as many as one has room for; one more is said to be left",
        arguments: StoreEngine.allCases, [0, 1])
    func room(_ engine: StoreEngine, over: Int) async throws {
        let limit = DeliveryLimits.removalsPerPush
        let ids = (0..<limit + over).map { "m\($0)" }
        let store = try await store(engine, ids)
        for id in ids { _ = try await store.recall(MessageID(test: id), at: noon) }
        _ = try await store.accept(try message("next", to: .everyone, counts: false), at: noon)
        let next = try await claimAll(store).filter { $0.purpose == .show }
        #expect(next.count == 6)
        for push in next { #expect(push.removals.count == limit && push.hasMoreRemovals == (over > 0)) }
    }

    @Test("have no row while they are in flight, and one where they are tried again", arguments: StoreEngine.allCases)
    func rowsInFlight(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        _ = try await store.recall(MessageID(test: "m"), at: noon)
        #expect(try await rows(store) == 0)
        let pushes = try await claimAll(store)
        #expect(pushes.map { "\($0.purpose) \($0.device) \($0.attempt)" } == (0..<6).map { "removal d\($0) 1" })
        #expect(Set(pushes.map(\.number)).count == 6)
        #expect(pushes.allSatisfy { $0.removals.map(\.reason) == [.recall] && !$0.hasUnanswered && $0.unread == 0 })
        #expect(Set(try pushes.map(apnsID)).count == 6)
        #expect(try await rows(store) == 0)
        #expect(try await rows(store, "removal_leases") == 2)
        let outcomes: [SendOutcome] = [.unanswered("late"), rejected("Unregistered", 410, since: noon + .seconds(9))]
        try await store.settle(zip(pushes, outcomes).map { $0.settled($1) }, at: noon)
        try await store.settle(pushes.dropFirst(2).map { $0.settled() }, at: noon)
        #expect(try await rows(store) == 1)
        #expect(try await rows(store, "removal_leases") == 0)
        #expect(try await store.device("d1")?.state == .unregistered)
        let later = noon + .seconds(60)
        let again = try await claimAll(store, at: later)
        #expect(again.map { "\($0.device) \($0.attempt)" } == ["d0 2"])
        #expect(try again.map(apnsID) == [apnsID(pushes[0])])
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
        let again = try await claimAll(store, "other")
        #expect(again.map { "\($0.device) \($0.attempt)" } == ["d4 2", "d5 2"])
        #expect(try again.map(apnsID) == first.suffix(2).map(apnsID))
        // What the first says late changes nothing.
        try await store.settle(first.map { $0.settled(.notSent("no connection")) }, at: noon)
        #expect(try await rows(store) == 2)
        try await store.settle(again.map { $0.settled() }, at: noon)
        #expect(try await rows(store) == 0)
    }

    @Test(
        "go again some at a time, also when a version took over that did not know of them",
        arguments: StoreEngine.allCases)
    func lapseInSteps(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        _ = try await store.recall(MessageID(test: "m"), at: noon)
        _ = try await claimAll(store)
        let database = store
        try await database.write(at: noon) { try $0.execute("DELETE FROM senders WHERE name = 'w'") }
        #expect(try await claimAll(store, "other").isEmpty)
        let third = try await store.sender("third")
        var counts: [String] = []
        for _ in 0..<3 {
            let release = try await store.release(third, ifStillAt: nil, limit: 4, at: noon)
            counts.append("\(release.count) \(release.isDone)")
        }
        #expect(counts == ["4 false", "2 true", "0 true"])
        #expect(try await claimAll(store, "other").map { "\($0.device) \($0.attempt)" } == (0..<6).map { "d\($0) 2" })
    }

    @Test("of messages that have rows are told on their timelines, once", arguments: StoreEngine.allCases)
    func timelines(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        for text in ["first", "second"] {
            let one = try message("one", to: .users(["u0"]), text: text, counts: false)
            _ = try await store.accept(one, at: noon)
            try await store.settle(try await claimAll(store).map { $0.settled() }, at: noon)
        }
        _ = try await store.recall(MessageID(test: "one"), at: noon)
        try await store.settle(try await claimAll(store).map { $0.settled() }, at: noon)
        #expect(try await told(store, "one", on: "d0") == ["sent 2 1 recalled", "accepted 2 1 recalled"])

        _ = try await store.recall(MessageID(test: "m"), at: noon)
        let later = noon + .seconds(1)
        let pushes = try await claimAll(store, at: later)
        #expect(pushes[0].removals.map(\.message.rawValue).sorted() == ["m", "one"])
        _ = try await store.record([receipt(.recalled, "one")], from: "d0", at: later)
        for _ in 0..<2 {
            let events = try await store.settle(pushes.map { $0.settled(at: later) }, at: later)
            #expect(events.allSatisfy { $0.message.rawValue == "one" && $0.device == "d0" })
        }
        let all = try await told(store, "one", on: "d0", at: later)
        #expect(all.suffix(2) == ["sent 2 1 recalled", "accepted 2 1 recalled"] && all.count == 4)
    }

    @Test(
        "that a sender has left may have been sent, and the timelines of rows say so", arguments: StoreEngine.allCases)
    func abandoned(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        _ = try await store.accept(try message("one", to: .users(["u0"]), counts: false), at: noon)
        try await store.settle(try await claimAll(store).map { $0.settled() }, at: noon)
        _ = try await store.recall(MessageID(test: "one"), at: noon)
        try await store.settle(try await claimAll(store).map { $0.settled() }, at: noon)
        _ = try await store.recall(MessageID(test: "m"), at: noon)
        let pushes = try await claimAll(store)
        let later = noon + .seconds(1)
        // The phone may have got it from that push.
        _ = try await store.record([receipt(.recalled, "one")], from: "d0", at: later)
        let gone = try await store.sender("w")
        let events = try await store.hearing { try await $0.release(gone, ifStillAt: nil, limit: 100, at: later) }
            .changes.timeline
        #expect(
            events.map { "\($0.event) \($0.device) \($0.apnsID ?? "-")" } == ["unanswered d0 \(try apnsID(pushes[0]))"])
        // Late, and a fact.
        try await store.settle([pushes[0].settled(at: later)], at: later)
        let all = try await told(store, "one", on: "d0", at: later)
        #expect(all.suffix(3).contains("accepted 1 1 recalled") && all.count == 5)
        #expect(try await claimAll(store, "other", at: later).map(\.attempt) == Array(repeating: 2, count: 6))
    }

    @Test("of all messages travel in one push, however many are claimed together", arguments: StoreEngine.allCases)
    func once(_ engine: StoreEngine) async throws {
        let store = try await store(engine, ["a", "b"])
        for id in ["a", "b"] { _ = try await store.recall(MessageID(test: id), at: noon) }
        let sender = try await store.sender("w")
        var pushes: [ClaimedDelivery] = []
        for _ in 0..<6 {
            pushes += try await store.claim(ClaimRequest(sender: sender, limit: 2), at: noon).deliveries
        }
        #expect(pushes.map(\.device) == (0..<6).map { "d\($0)" })
        #expect(pushes.allSatisfy { $0.removals.count == 2 })
        #expect(try await store.nextDue(except: []) == nil)
    }

    @Test(
        "of a message that is on its way wait for it, also where another goes before", arguments: StoreEngine.allCases)
    func notOvertaken(_ engine: StoreEngine) async throws {
        let store = try await store(engine, ["a"])
        _ = try await store.accept(try message("b", to: .everyone, counts: false), at: noon)
        let shows = try await claimAll(store)
        for id in ["a", "b"] { _ = try await store.recall(MessageID(test: id), at: noon) }
        try await store.settle(try await claimAll(store).map { $0.settled() }, at: noon)
        try await store.settle(shows.map { $0.settled() }, at: noon)
        #expect(try await claimAll(store).map { "\($0.purpose) \($0.device)" } == (0..<6).map { "removal d\($0)" })
    }

    @Test("of other messages leave what needs a push of its own, or a notice at once", arguments: StoreEngine.allCases)
    func others(_ engine: StoreEngine) async throws {
        let store = try await store(engine, ["a", "n"])
        var new = try message("p", to: .everyone, counts: false)
        new.dialect = .pushwoosh
        _ = try await store.accept(new, at: noon)
        try await store.settle(try await claimAll(store).map { $0.settled() }, at: noon)
        try await store.write(at: noon) {
            try $0.execute("UPDATE devices SET silent_unanswered = 3 WHERE id = 'd5'")
        }
        for id in ["a", "p"] { _ = try await store.recall(MessageID(test: id), at: noon) }
        let notice = RecallNotice(title: "Taken back", body: nil)
        let reference = MessageReference(MessageID(test: "n"), of: chime.number)
        _ = try await store.recall(reference, notice: notice, SendingRules(), at: noon)
        let pushes = try await claimAll(store)
        let all = (0..<6).map { "d\($0)" }
        #expect(pushes.filter { $0.message == nil }.map(\.device) == all)
        #expect(pushes.filter { $0.message?.id.rawValue == "p" }.map(\.device) == all)
        #expect(pushes.filter { $0.purpose == .notice }.map(\.device) == ["d5"])
    }

    @Test("that are in flight outlast a newer revision, which nothing removes", arguments: StoreEngine.allCases)
    func replaced(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        _ = try await store.recall(MessageID(test: "m"), at: noon)
        let pushes = try await claimAll(store)
        _ = try await store.accept(try message("m", to: .everyone, text: "again", counts: false), at: noon)
        #expect(try await claimAll(store).map(\.purpose) == Array(repeating: .show, count: 6))
        try await store.settle(pushes.map { $0.settled(.notSent("no connection")) }, at: noon)
        #expect(try await rows(store, "removal_leases") == 0)
        #expect(try await claimAll(store, at: noon + .seconds(60)).isEmpty)
        #expect(try await rows(store) == 0)
    }

    @Test("that are in flight say the number on the icon too, and keep their message", arguments: StoreEngine.allCases)
    func needed(_ engine: StoreEngine) async throws {
        let store = try await store(engine, [])
        try await store.enrol(device("other", user: "u0"), at: noon)
        _ = try await store.accept(try message("one", to: .devices(["d0"])), at: noon)
        _ = try await store.accept(try message("m", to: .everyone, counts: false), at: noon)
        let shows = try await claimAll(store).map { $0.settled(badge: .unread(1)) }
        try await store.settle(shows, at: noon)
        _ = try await store.recall(MessageID(test: "m"), at: noon)
        let pushes = try await claimAll(store)
        #expect(pushes.count == 7)
        _ = try await store.markRead(.upTo(noon), user: "u0", on: "d0", at: noon)
        #expect(try await claimAll(store).isEmpty)
        let late = noon + .seconds(20 * 86_400)
        #expect(try await store.purge(before: late, limit: 100) == 1)
        try await store.settle(pushes.map { $0.settled() }, at: noon)
        #expect(try await store.purge(before: late, limit: 100) == 1)
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
        let late = noon + DeliveryLimits.deliveryLifetime + .seconds(1)
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
