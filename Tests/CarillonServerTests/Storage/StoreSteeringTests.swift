import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("A message that waits, is paused, or is cancelled", .serialized)
struct StoreSteeringTests {
    private let later = noon + .seconds(3600)

    private func store(_ engine: StoreEngine, devices: Int = 3) async throws -> Store {
        let store = try await engine.make()
        try await store.enrol((0..<devices).map { device("d\($0)", user: "u\($0)") }, at: noon)
        return store
    }

    private func scheduled(_ id: String, to audience: Audience, at moment: Timestamp) throws -> NewMessage {
        var new = try message(id, to: audience)
        new.sendAt = moment
        return new
    }

    private func steer(_ store: Store, _ change: SendingChange, _ id: String = "m", at now: Timestamp = noon)
        async throws
    {
        _ = try await store.steer(MessageReference(MessageID(test: id), of: chime.number), change, at: now)
    }

    private func state(_ store: Store, _ id: String = "m", at now: Timestamp = noon) async throws -> MessageState? {
        try await store.report(MessageID(test: id), at: now)?.state
    }

    private func shown(_ store: Store, at now: Timestamp = noon, limit: Int = 100) async throws -> [ClaimedDelivery] {
        var found: [ClaimedDelivery] = []
        while true {
            let claim = try await store.claim(everything(limit: limit), at: now)
            found += claim.deliveries.filter { [.show, .fallback].contains($0.purpose) }
            if claim.examined == 0 { return found }
        }
    }

    @Test("is for those who fulfil its condition when its time comes", arguments: StoreEngine.allCases)
    func schedule(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        let audience = Audience.matching(try AudienceParser.parse("seen<1h"))
        let accepted = try await store.accept(try scheduled("m", to: audience, at: later), at: noon)
        guard case .accepted(let answer) = accepted else {
            Issue.record("\(accepted)")
            return
        }
        #expect(answer.state == .scheduled && answer.devices == 3)
        #expect(try await shown(store, at: later - .milliseconds(1)).isEmpty)
        #expect(try await state(store, at: later - .milliseconds(1)) == .scheduled)
        #expect(try await store.nextDue(except: []) == later)
        // One is heard of again, one comes, and the others are too old by then.
        _ = try await store.change("d1", DeviceUpdate(facts: [:], nonce: "n"), at: noon + .seconds(60))
        try await store.enrol([device("new")], at: noon + .seconds(120))
        #expect(Set(try await shown(store, at: later).map(\.device)) == ["d1", "new"])
        let report = try await store.report(MessageID(test: "m"), at: later)
        #expect(report?.counts.devices == 2 && report?.sendAt == later)
        #expect(try await shown(store, at: later + .seconds(60)).isEmpty, "once")
    }

    @Test("is kept from when it was sent, not from when it was accepted", arguments: StoreEngine.allCases)
    func kept(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        _ = try await store.accept(try scheduled("m", to: .users(["u0"]), at: later), at: noon)
        #expect(try await store.purge(before: later, limit: 10) == 0, "it has not been sent")
        try await store.deliverAll(at: later)
        #expect(try await store.purge(before: later, limit: 10) == 0)
        #expect(try await store.purge(before: later + .seconds(1), limit: 10) == 1)
    }

    @Test("a time that has passed means at once", arguments: StoreEngine.allCases)
    func past(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        _ = try await store.accept(try scheduled("m", to: .everyone, at: noon - .seconds(1)), at: noon)
        #expect(try await shown(store).count == 3)
    }

    @Test("is replaced while it waits, and cannot wait once it has gone out", arguments: StoreEngine.allCases)
    func replaced(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        _ = try await store.accept(try scheduled("m", to: .everyone, at: later), at: noon)
        var other = try scheduled("m", to: .everyone, at: noon + .seconds(60))
        other.fingerprint = Data("other".utf8)
        guard case .accepted = try await store.accept(other, at: noon) else {
            Issue.record("it may be replaced")
            return
        }
        #expect(try await shown(store, at: noon + .seconds(60)).count == 3)
        var third = try scheduled("m", to: .everyone, at: later)
        third.fingerprint = Data("third".utf8)
        #expect(try await store.accept(third, at: noon + .seconds(60)) == .refused(.alreadySent))
        #expect(try await shown(store, at: later).isEmpty)
    }

    @Test("paused: nothing goes out, others do; resumed: each device gets it once", arguments: StoreEngine.allCases)
    func pause(_ engine: StoreEngine) async throws {
        let store = try await store(engine, devices: 130)
        _ = try await store.accept(try message("m", to: .everyone), at: noon)
        let first = try await store.claim(everything(limit: 20), at: noon).deliveries
        try await steer(store, .pause)
        try await steer(store, .pause)
        #expect(try await state(store) == .paused)
        _ = try await store.accept(try message("other", to: .users(["u1"]), text: "x"), at: noon)
        #expect(try await shown(store).map(\.message?.id.rawValue) == ["other"])
        #expect(try await store.waiting(in: chime.number, atMost: 1000) == 110)
        // Attempts that were under way fail, and wait with the rest.
        _ = try await store.settle(first.prefix(5).map { $0.settled(rejected("Busy", 503)) }, at: noon)
        _ = try await store.settle(first.dropFirst(5).map { $0.settled() }, at: noon)
        #expect(try await shown(store, at: noon + .seconds(60)).isEmpty)
        // A device whose token moves to the other environment stays held.
        _ = try await store.change(
            "d129", DeviceUpdate(environment: .production, facts: [:], nonce: "n"), at: noon)
        try await steer(store, .resume)
        #expect(try await state(store) == .sending)
        let rest = try await shown(store, at: noon + .seconds(60))
        #expect(rest.count == 115 && Set(rest.map(\.device)).count == 115)
        #expect(rest.first { $0.device == "d129" }?.app.environment == .production)
        _ = try await store.settle(rest.map { $0.settled() }, at: noon)
        #expect(try await state(store) == .sent)
        try await steer(store, .pause)
        #expect(try await state(store) == .sent, "nothing is left to pause")
    }

    @Test("paused before its time: it begins when it is resumed", arguments: StoreEngine.allCases)
    func pausedSchedule(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        _ = try await store.accept(try scheduled("m", to: .everyone, at: later), at: noon)
        try await steer(store, .pause)
        #expect(try await shown(store, at: later).isEmpty)
        #expect(try await store.nextDue(except: []) == nil)
        try await steer(store, .resume, at: noon)
        #expect(try await state(store) == .scheduled, "its time has not come yet")
        #expect(try await shown(store, at: noon).isEmpty)
        #expect(try await shown(store, at: later).count == 3)
    }

    @Test("paused until its time has passed: nobody gets it, and no inbox has it", arguments: StoreEngine.allCases)
    func pausedTooLong(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        var new = try scheduled("m", to: .users(["u0"]), at: later)
        new.until = later + .seconds(60)
        _ = try await store.accept(new, at: noon)
        try await steer(store, .pause)
        let after = later + .seconds(61)
        #expect(try await shown(store, at: after).isEmpty)
        try await steer(store, .resume, at: after)
        #expect(try await shown(store, at: after).isEmpty)
        #expect(try await state(store, at: after) == .expired)
        #expect(try await store.inbox(user: "u0", before: nil, limit: 10, at: after).isEmpty)
        #expect(try await store.sync("d0", limit: 10, at: after)?.unread == 0)
    }

    @Test("cancelled before anything went out: nothing does, and no inbox has it", arguments: StoreEngine.allCases)
    func cancelledEarly(_ engine: StoreEngine) async throws {
        let store = try await store(engine, devices: 130)
        for (id, sendAt) in [("a", later as Timestamp?), ("b", nil), ("c", nil)] {
            var new = try message(id, to: .users((0..<130).map { "u\($0)" }), text: id)
            new.sendAt = sendAt
            _ = try await store.accept(new, at: noon)
        }
        try await steer(store, .pause, "c")
        for id in ["a", "b", "c"] {
            try await steer(store, .cancel, id)
            #expect(try await state(store, id) == .cancelled)
        }
        #expect(try await shown(store, at: later).isEmpty)
        #expect(try await store.inbox(user: "u7", before: nil, limit: 10, at: noon).isEmpty)
        #expect(try await store.sync("d7", limit: 10, at: noon)?.unread == 0)
        #expect(try await store.report(MessageID(test: "b"), at: noon)?.counts.cancelled == 130)
        var same = try message("b", to: .users((0..<130).map { "u\($0)" }), text: "b")
        #expect(try await store.accept(same, at: noon) == .refused(.cancelled))
        same.fingerprint = Data("new".utf8)
        _ = try await store.accept(same, at: noon)
        #expect(try await shown(store).count == 130, "with other content the id may be used again")
        var held = try message("c", to: .users((0..<130).map { "u\($0)" }), text: "new")
        held.fingerprint = Data("new".utf8)
        _ = try await store.accept(held, at: noon)
        #expect(try await shown(store).count == 130, "what was held when it was cancelled goes out too")
    }

    @Test("cancelled half-way: the rest stays here, what is out stays there", arguments: StoreEngine.allCases)
    func cancelledLate(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        _ = try await store.accept(try message("m", to: .users(["u0", "u1", "u2"]), mode: .assured), at: noon)
        let claimed = try await store.claim(everything(limit: 2), at: noon).deliveries
        try #require(claimed.count == 2)
        try await steer(store, .cancel)
        // One reaches its phone, one fails, one was never begun.
        _ = try await store.settle([claimed[0].settled(), claimed[1].settled(rejected("Busy", 503))], at: noon)
        #expect(try await shown(store, at: later).isEmpty, "not again, and no visible push in its place")
        let removals = try await store.sync(claimed[0].device, limit: 10, at: noon)?.removals
        #expect(removals == [], "unlike a recall it takes nothing away")
        #expect(try await state(store) == .cancelled)
        let reached = "u\(claimed[0].device.dropFirst())"
        #expect(try await store.inbox(user: reached, before: nil, limit: 10, at: noon).count == 1)
        let never = ["d0", "d1", "d2"].first { name in !claimed.contains { $0.device == name } }
        let user = "u\(try #require(never).dropFirst())"
        #expect(try await store.inbox(user: user, before: nil, limit: 10, at: noon).isEmpty)
        try await steer(store, .resume)
        try await steer(store, .pause)
        #expect(try await state(store) == .cancelled)
        _ = try await store.recall(MessageID(test: "m"), at: noon)
        #expect(try await state(store) == .recalled)
        #expect(try await store.sync(claimed[0].device, limit: 10, at: noon)?.removals.count == 1)
    }

    @Test(
        "a recall of a paused message removes what is out, and nothing is held for ever",
        arguments: StoreEngine.allCases)
    func recalled(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        _ = try await store.accept(try message("m", to: .everyone), at: noon)
        let claimed = try await store.claim(everything(limit: 1), at: noon).deliveries
        _ = try await store.settle(claimed.map { $0.settled() }, at: noon)
        try await steer(store, .pause)
        let reference = MessageReference(MessageID(test: "m"), of: chime.number)
        _ = try await store.recall(
            reference, notice: RecallNotice(title: "x", body: nil), SendingRules(assuredWait: .seconds(60)), at: noon)
        #expect(try await state(store) == .recalled)
        let first = try await store.claim(everything(), at: noon).deliveries
        #expect(first.map(\.purpose) == [.removal])
        let notice = try await store.claim(everything(), at: noon + .seconds(61)).deliveries
        #expect(notice.map(\.purpose) == [.notice])
    }

    @Test("an erased user gets nothing that waited", arguments: StoreEngine.allCases)
    func erased(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        _ = try await store.accept(try scheduled("m", to: .users(["u0", "u1"]), at: later), at: noon)
        _ = try await store.accept(try scheduled("own", to: .users(["u0"]), at: later), at: noon)
        let erasure = try await store.erase(UserReference("u0", of: chime.number), at: noon)
        #expect(erasure.remaining == 0)
        #expect(try await shown(store, at: later).map(\.device) == ["d1"])
        #expect(try await store.inbox(user: "u0", before: nil, limit: 10, at: later).isEmpty)
        let database = store
        let work = try await database.read { try $0.integer("SELECT count(*) FROM work") }
        #expect(work == 0)
    }

    @Test("a limit holds for all senders together, and says when the next may go", arguments: StoreEngine.allCases)
    func rate(_ engine: StoreEngine) async throws {
        let store = try await store(engine, devices: 50)
        try await store.enrol([device("ferry", app: ferry)], at: noon)
        let app = try await store.put(AppSettings(topic: topic, sendsPerSecond: 20), at: noon)
        #expect(app.sendsPerSecond == 20)
        _ = try await store.accept(try message("m", to: .everyone), at: noon)
        _ = try await store.accept(try message("f", to: .everyone, app: ferry), at: noon)
        let one = try await store.claim(everything(worker: "a", limit: 15), at: noon)
        let two = try await store.claim(everything(worker: "b"), at: noon)
        #expect((one.deliveries + two.deliveries).filter { $0.app.topic == topic }.count == 20)
        #expect((one.deliveries + two.deliveries).contains { $0.app.topic == ferry.topic }, "others go on")
        #expect(two.nextDue == noon + .milliseconds(100))
        #expect(try await store.claim(everything(), at: noon + .milliseconds(100)).deliveries.count == 2)
        #expect(try await store.claim(everything(), at: noon + .seconds(60)).deliveries.count == 20)
        let free = try await store.put(AppSettings(topic: topic, sendsPerSecond: 0), at: noon)
        #expect(free.sendsPerSecond == nil)
        #expect(try await store.put(AppSettings(topic: topic), at: noon).sendsPerSecond == nil)
        #expect(try await store.claim(everything(), at: noon + .seconds(60)).deliveries.count == 8)
    }
}
