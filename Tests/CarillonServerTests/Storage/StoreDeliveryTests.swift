import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("A store leases deliveries", .serialized)
struct StoreDeliveryTests {
    private func prepared(_ engine: StoreEngine) async throws -> Store {
        let store = try await engine.make()
        _ = try await store.enrol(device("phone", user: "u1"), at: noon)
        _ = try await store.accept(try message("m1", to: .users(["u1"])), at: noon)
        return store
    }

    @Test("what one sender has leased no other gets, however much time passes", arguments: StoreEngine.allCases)
    func lease(_ engine: StoreEngine) async throws {
        let store = try await prepared(engine)
        #expect(try await store.claim(everything(worker: "a"), at: noon).deliveries.map(\.attempt) == [1])
        #expect(try await store.claim(everything(worker: "b"), at: noon + .seconds(3600)).deliveries.isEmpty)
        #expect(try await store.nextDue(except: []) == nil)
    }

    @Test(
        "leases of a sender that is gone are ended step by step, and count as attempts",
        arguments: StoreEngine.allCases)
    func release(_ engine: StoreEngine) async throws {
        let store = try await prepared(engine)
        for id in ["m2", "m3"] { _ = try await store.accept(try message(id, to: .users(["u1"])), at: noon) }
        _ = try await store.claim(everything(worker: "a"), at: noon)
        let gone = try await store.sender("a")
        let first = try await store.release(gone, ifStillAt: 0, limit: 2, at: noon)
        #expect(first.count == 2 && !first.isDone)
        #expect(try await store.claim(everything(worker: "b"), at: noon).deliveries.map(\.attempt) == [2, 2])
        let second = try await store.release(gone, ifStillAt: 0, limit: 2, at: noon)
        #expect(second.count == 1 && second.isDone)
    }

    @Test("a sender that has beaten since is not taken over", arguments: StoreEngine.allCases)
    func beaten(_ engine: StoreEngine) async throws {
        let store = try await prepared(engine)
        _ = try await store.claim(everything(worker: "a"), at: noon)
        let sender = try await store.sender("a")
        _ = try await store.beat(sender)
        #expect(try await store.release(sender, ifStillAt: 0, limit: 10, at: noon).count == 0)
        #expect(try await store.claim(everything(worker: "b"), at: noon).deliveries.isEmpty)
    }

    @Test("a sender whose process ends is known to be gone, also after a look that came too late to take it over")
    func processEnds() async throws {
        let store = try await StoreEngine.sqlite.make()
        let watcher = try await store.join("watcher")
        var sender: JoinedSender? = try await store.join("sender")
        let number = try #require(sender).number
        _ = try await store.beat(number)
        _ = try await store.release(number, ifStillAt: 0, limit: 10, at: noon)
        #expect(try await store.beat(watcher.number).map(\.isDead) == [false])
        sender = nil
        #expect(try await store.beat(watcher.number).map(\.isDead) == [true])
        _ = try await store.release(number, ifStillAt: nil, limit: 10, at: noon)
        #expect(try await store.beat(watcher.number).isEmpty)
    }

    @Test("a sender that was taken over neither leases nor beats any more", arguments: StoreEngine.allCases)
    func ended(_ engine: StoreEngine) async throws {
        let store = try await prepared(engine)
        let sender = try await store.sender("a")
        _ = try await store.release(sender, ifStillAt: nil, limit: 10, at: noon)
        await #expect(throws: SenderEnded.self) { try await store.beat(sender) }
        await #expect(throws: SenderEnded.self) {
            try await store.claim(ClaimRequest(sender: sender, limit: 1), at: noon)
        }
    }

    @Test(
        "outcomes and the claim after them are one transaction: told apart, and both or neither",
        arguments: StoreEngine.allCases)
    func settleAndClaim(_ engine: StoreEngine) async throws {
        let store = try await prepared(engine)
        _ = try await store.accept(try message("m2", to: .users(["u1"])), at: noon)
        let request = ClaimRequest(sender: try await store.sender("a"), limit: 1)
        let first = try await store.claim(request, at: noon).deliveries
        let (settled, claim) = try await store.settle(
            first.map { $0.settled() }, SendingRules(), claiming: request, at: noon)
        #expect(settled.timeline.map(\.event) == [.sent, .accepted])
        let second = try #require(claim)
        #expect(second.deliveries.map { $0.message?.id.rawValue } == ["m2"])
        _ = try await store.release(request.sender, ifStillAt: nil, limit: 10, at: noon)
        await #expect(throws: SenderEnded.self) {
            try await store.settle(
                second.deliveries.map { $0.settled() }, SendingRules(), claiming: request, at: noon)
        }
        #expect(try await store.kinds("m2", on: "phone").contains(.accepted) == false)
        try await store.settle(second.deliveries.map { $0.settled() }, at: noon)
        #expect(try await store.kinds("m2", on: "phone").contains(.accepted), "it is said again alone")
    }

    @Test(
        "what APNs said under a lost lease is told as fact and changes no state", arguments: StoreEngine.allCases)
    func late(_ engine: StoreEngine) async throws {
        let store = try await prepared(engine)
        let first = try await store.claim(everything(worker: "a"), at: noon).deliveries
        _ = try await store.release(try await store.sender("a"), ifStillAt: nil, limit: 10, at: noon)
        let second = try await store.claim(everything(worker: "b"), at: noon).deliveries
        try await store.settle(first.map { $0.settled(rejected("BadCollapseId", 400)) }, at: noon)
        #expect(try await store.report(MessageID(test: "m1"), at: noon)?.counts.queued == 1, "it is in flight")
        try await store.settle(second.map { $0.settled() }, at: noon)
        #expect(try await store.report(MessageID(test: "m1"), at: noon)?.counts.accepted == 1)
        #expect(
            try await store.kinds("m1", on: "phone").count { $0 == .sent } == 2, "nothing is sent twice uncounted")
    }

    @Test(
        "a removal waits for the attempt in flight, and goes again when that attempt was heard of late",
        arguments: StoreEngine.allCases)
    func removalAfterLease(_ engine: StoreEngine) async throws {
        let store = try await prepared(engine)
        let first = try await store.claim(everything(worker: "a"), at: noon).deliveries
        try await store.recall(MessageID(test: "m1"), at: noon)
        #expect(try await store.claim(everything(worker: "b"), at: noon).deliveries.isEmpty, "it must not overtake")
        _ = try await store.release(try await store.sender("a"), ifStillAt: nil, limit: 10, at: noon)
        let removal = try await store.claim(everything(worker: "b"), at: noon).deliveries
        #expect(removal.map(\.purpose) == [.removal])
        try await store.settle(removal.map { $0.settled() }, at: noon)
        try await store.settle(first.map { $0.settled() }, at: noon)
        #expect(try await store.claim(everything(worker: "b"), at: noon).deliveries.map(\.purpose) == [.removal])
    }

    @Test(
        "a removal whose sender is gone is told though a slow clock dates its confirmation before it fell due",
        arguments: StoreEngine.allCases)
    func removalConfirmedByASlowClock(_ engine: StoreEngine) async throws {
        let store = try await prepared(engine)
        let shown = try await store.claim(everything(worker: "a"), at: noon).deliveries
        try await store.settle(shown.map { $0.settled() }, at: noon)
        try await store.recall(MessageID(test: "m1"), at: noon)
        #expect(try await store.claim(everything(worker: "a"), at: noon).deliveries.map(\.purpose) == [.removal])
        let slow = noon + .seconds(-10)
        _ = try await store.record([receipt(.recalled, "m1", at: slow)], from: "phone", at: slow)
        _ = try await store.release(try await store.sender("a"), ifStillAt: nil, limit: 10, at: noon)
        #expect(try await store.kinds("m1", on: "phone").contains(.unanswered), "nothing is sent uncounted")
    }

    @Test("single messages have places beside a message to many", arguments: StoreEngine.allCases)
    func lanes(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        let many = DeliveryLimits.singleMessageDevices + 1
        try await store.enrol((0..<many).map { device("d\($0)") }, at: noon)
        _ = try await store.enrol(device("phone", user: "u1"), at: noon)
        _ = try await store.accept(try message("many", to: .everyone), at: noon)
        _ = try await store.accept(try message("one", to: .users(["u1"])), at: noon + .seconds(1))
        var request = ClaimRequest(sender: try await store.sender("w"), limit: 10, bulkLimit: 4)
        let claimed = try await store.claim(request, at: noon + .seconds(1)).deliveries
        #expect(claimed.map(\.message?.id.rawValue) == ["one", "many", "many", "many", "many"])
        request.bulkLimit = 0
        #expect(try await store.claim(request, at: noon + .seconds(1)).deliveries.isEmpty)
    }

    @Test("a message to as many devices as a single one may have is one; to one more it is a message to many")
    func laneLimit() {
        #expect(DeliveryLane(devices: DeliveryLimits.singleMessageDevices) == .single)
        #expect(DeliveryLane(devices: DeliveryLimits.singleMessageDevices + 1) == .bulk)
    }

    @Test(
        "a row that cannot be read is set aside and told, and the others are sent", arguments: StoreEngine.allCases)
    func setAside(_ engine: StoreEngine) async throws {
        let store = try await prepared(engine)
        _ = try await store.accept(try message("m2", to: .users(["u1"])), at: noon)
        try await store.damagePayload(of: "m1")
        #expect(try await store.claim(everything(), at: noon).deliveries.map(\.message?.id.rawValue) == ["m2"])
        #expect(try await store.health().setAside == 1)
        let aside = try await store.setAside(limit: 10)
        #expect(aside.map(\.message) == ["m1"])
        #expect(aside.first?.problem.isEmpty == false)
        #expect(try await store.retrySetAside(at: noon) == 1)
        #expect(try await store.claim(everything(), at: noon).deliveries.isEmpty, "it is set aside again")
        #expect(try await store.health().setAside == 1)
    }

    @Test("a message whose time has passed is not sent", arguments: StoreEngine.allCases)
    func expired(_ engine: StoreEngine) async throws {
        let store = try await prepared(engine)
        _ = try await store.accept(try message("m2", to: .users(["u1"]), until: noon + .seconds(5)), at: noon)
        let (claim, changes) = try await store.hearing { try await $0.claim(everything(), at: noon + .seconds(5)) }
        #expect(claim.deliveries.compactMap(\.message?.id.rawValue) == ["m1"])
        #expect(changes.timeline.map(\.event) == [.expired])
        #expect(try await store.report(MessageID(test: "m2"), at: noon + .seconds(5))?.state == .expired)
    }

    @Test("a retry is due later, and no attempt when it cannot have arrived", arguments: StoreEngine.allCases)
    func retry(_ engine: StoreEngine) async throws {
        let store = try await prepared(engine)
        let first = try await store.claim(everything(), at: noon).deliveries
        try await store.settle(first.map { $0.settled(rejected("TooManyRequests", 429)) }, at: noon)
        #expect(try await store.claim(everything(), at: noon).deliveries.isEmpty)
        let due = noon + .seconds(1)
        #expect(try await store.nextDue(except: []) == due)
        let second = try await store.claim(everything(), at: due).deliveries
        #expect(second.map(\.attempt) == [1])
        try await store.settle(second.map { $0.settled(.unanswered("lost"), at: due) }, at: due)
        let later = due + .seconds(2)
        #expect(try await store.nextDue(except: []) == later, "back-off grows with every try")
        #expect(try await store.claim(everything(), at: later).deliveries.map(\.attempt) == [2])
    }

    @Test("recalled while it is in flight: a removal follows, and no retry", arguments: StoreEngine.allCases)
    func recalledInFlight(_ engine: StoreEngine) async throws {
        let store = try await prepared(engine)
        let first = try await store.claim(everything(), at: noon).deliveries
        _ = try await store.recall(MessageID(test: "m1"), at: noon)
        try await store.settle(first.map { $0.settled(.unanswered("lost")) }, at: noon)
        let next = try await store.claim(everything(), at: noon).deliveries
        #expect(next.map(\.purpose) == [.removal])
    }

    @Test("recalled while in flight and then rejected: there is nothing to remove", arguments: StoreEngine.allCases)
    func recalledThenRejected(_ engine: StoreEngine) async throws {
        let store = try await prepared(engine)
        let first = try await store.claim(everything(), at: noon).deliveries
        _ = try await store.recall(MessageID(test: "m1"), at: noon)
        let said = rejected("PayloadTooLarge", 413)
        _ = try await store.settle(
            first.map { $0.settled(said) }, at: noon)
        #expect(try await store.claim(everything(), at: noon).deliveries.isEmpty)
        #expect(try await store.recallAnswer(MessageID(test: "m1"), limit: 1)?.recall == ["never sent": 1])
    }

    @Test("a replacement that comes while the first is in flight is sent too", arguments: StoreEngine.allCases)
    func replacedInFlight(_ engine: StoreEngine) async throws {
        let store = try await prepared(engine)
        let first = try await store.claim(everything(), at: noon).deliveries
        _ = try await store.accept(try message("m1", to: .users(["u1"]), text: "Corrected"), at: noon)
        #expect(try await store.claim(everything(), at: noon).deliveries.isEmpty, "it must not overtake the first")
        try await store.settle(first.map { $0.settled() }, at: noon)
        let next = try await store.claim(everything(), at: noon).deliveries
        #expect(next.map(\.revision) == [2])
    }

    @Test("410 ends the token only if it was not registered again since", arguments: StoreEngine.allCases)
    func unregistered(_ engine: StoreEngine) async throws {
        let store = try await prepared(engine)
        let first = try await store.claim(everything(), at: noon).deliveries
        let stale = rejected("Unregistered", 410, since: noon - .seconds(1))
        try await store.settle(first.map { $0.settled(stale) }, at: noon)
        #expect(try await store.device("phone")?.state == .active)

        _ = try await store.accept(try message("m2", to: .users(["u1"])), at: noon)
        let second = try await store.claim(everything(), at: noon).deliveries
        let gone = rejected("Unregistered", 410, since: noon + .seconds(1))
        try await store.settle(second.map { $0.settled(gone) }, at: noon)
        #expect(try await store.device("phone")?.state == .unregistered)
        let nobody = try await store.accept(try message("m3", to: .users(["u1"])), at: noon)
        let told = SendAnswer(id: MessageID(test: "m3"), state: .accepted, devices: 0, reason: .tokenGone)
        #expect(nobody == .accepted(told))
    }

    @Test("a 410 older than the registration is believed when APNs repeats it", arguments: StoreEngine.allCases)
    func staleRejection(_ engine: StoreEngine) async throws {
        let store = try await prepared(engine)
        let stale = rejected("Unregistered", 410, since: noon - .seconds(1))
        var now = noon
        for _ in 0..<DeliveryLimits.staleRejections {
            #expect(try await store.device("phone")?.state == .active)
            let claimed = try await store.claim(everything(), at: now).deliveries
            #expect(claimed.count == 1)
            try await store.settle(claimed.map { $0.settled(stale, at: now) }, at: now)
            now = now + .seconds(60)
        }
        #expect(try await store.device("phone")?.state == .unregistered)
        #expect(try await store.report(MessageID(test: "m1"), at: now)?.counts.rejected == 1)
    }

    @Test("a device in quarantine is sent to again after it registers", arguments: StoreEngine.allCases)
    func quarantine(_ engine: StoreEngine) async throws {
        let store = try await prepared(engine)
        _ = try await store.accept(try message("m2", to: .users(["u1"])), at: noon)
        let first = try await store.claim(everything(limit: 1), at: noon).deliveries
        let said = rejected("BadDeviceToken", 400)
        _ = try await store.settle(first.map { $0.settled(said) }, at: noon)
        #expect(try await store.claim(everything(), at: noon).deliveries.isEmpty)
        #expect(try await store.kinds("m2", on: "phone") == [.queued, .cancelled])
        _ = try await store.enrol(device("phone", user: "u1", token: "bb"), at: noon)
        _ = try await store.accept(try message("m3", to: .users(["u1"])), at: noon)
        #expect(try await store.claim(everything(), at: noon).deliveries.count == 1)
    }

    @Test("an app that is stopped is left out", arguments: StoreEngine.allCases)
    func stopped(_ engine: StoreEngine) async throws {
        let store = try await prepared(engine)
        let app = AppID(topic: topic, environment: .sandbox)
        var request = everything()
        request.except = [app]
        #expect(try await store.claim(request, at: noon).deliveries.isEmpty)
        #expect(try await store.nextDue(except: [app]) == nil)
        request.except = []
        request.only = AppID(topic: topic, environment: .production)
        #expect(try await store.claim(request, at: noon).deliveries.isEmpty)
        request.only = app
        #expect(try await store.claim(request, at: noon).deliveries.count == 1)
    }

    @Test(
        "no receipt before the validity passed is told as a conclusion, not as a fact", arguments: StoreEngine.allCases)
    func inferred(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        _ = try await store.enrol(device("phone", user: "u1"), at: noon)
        let until = noon + .seconds(5)
        _ = try await store.accept(try message("m1", to: .users(["u1"]), until: until), at: noon)
        try await store.deliverAll()
        #expect(try await store.kinds("m1", on: "phone", at: noon) == [.queued, .sent, .accepted])
        let later = try await store.timeline(MessageID(test: "m1"), after: nil, limit: 1, at: until)
        #expect(later?.devices.first?.events.last?.inferred == true)
        #expect(later?.devices.first?.events.last?.event == .expired)
    }
}
