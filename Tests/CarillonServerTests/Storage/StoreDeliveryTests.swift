import CarillonCore
import CarillonServer
import Foundation
import Testing

@Suite("A store leases deliveries")
struct StoreDeliveryTests {
    private func prepared(_ engine: StoreEngine) async throws -> any Store {
        let store = try await engine.make()
        _ = try await store.enrol(device("phone", user: "u1"), at: noon)
        _ = try await store.accept(try message("m1", to: .users(["u1"])), at: noon)
        return store
    }

    @Test("what one worker has leased no other gets, until the lease ends", arguments: StoreEngine.allCases)
    func lease(_ engine: StoreEngine) async throws {
        let store = try await prepared(engine)
        #expect(try await store.claim(everything(worker: "a"), at: noon).deliveries.map(\.attempt) == [1])
        #expect(try await store.claim(everything(worker: "b"), at: noon + .seconds(59)).deliveries.isEmpty)
        #expect(try await store.nextDue(except: []) == noon + .seconds(60))
        let later = noon + .seconds(60)
        #expect(try await store.claim(everything(worker: "b", at: later), at: later).deliveries.map(\.attempt) == [2])
    }

    @Test(
        "the leases of a dead process are taken back at its start, and count as attempts",
        arguments: StoreEngine.allCases)
    func release(_ engine: StoreEngine) async throws {
        let store = try await prepared(engine)
        _ = try await store.claim(everything(worker: "a"), at: noon)
        #expect(try await store.releaseLeases(of: "b") == 0)
        #expect(try await store.releaseLeases(of: "a") == 1)
        #expect(try await store.claim(everything(worker: "a"), at: noon).deliveries.map(\.attempt) == [2])
    }

    @Test("a message whose time has passed is not sent", arguments: StoreEngine.allCases)
    func expired(_ engine: StoreEngine) async throws {
        let store = try await prepared(engine)
        _ = try await store.accept(try message("m2", to: .users(["u1"]), until: noon + .seconds(5)), at: noon)
        let claim = try await store.claim(everything(), at: noon + .seconds(5))
        #expect(claim.deliveries.compactMap(\.message?.id.rawValue) == ["m1"])
        #expect(claim.events.map(\.event) == [.expired])
        #expect(try await store.report(MessageID(test: "m2"), at: noon + .seconds(5))?.state == .expired)
    }

    @Test("a retry is due later, and no attempt when it cannot have arrived", arguments: StoreEngine.allCases)
    func retry(_ engine: StoreEngine) async throws {
        let store = try await prepared(engine)
        let due = noon + .seconds(2)
        let first = try await store.claim(everything(), at: noon).deliveries
        let busy = Settlement.Rejection(reason: "TooManyRequests", status: 429)
        _ = try await store.settle(
            first.map { $0.settled(.retry(at: due, rejection: busy, mayHaveArrived: false)) }, worker: "w", at: noon)
        #expect(try await store.claim(everything(), at: noon).deliveries.isEmpty)
        let second = try await store.claim(everything(), at: due).deliveries
        #expect(second.map(\.attempt) == [1])
        #expect(second.map(\.tries) == [2])
        _ = try await store.settle(
            second.map { $0.settled(.retry(at: due, rejection: nil, mayHaveArrived: true), at: due) }, worker: "w",
            at: due)
        #expect(try await store.claim(everything(), at: due).deliveries.map(\.attempt) == [2])
    }

    @Test("recalled while it is in flight: a removal follows, and no retry", arguments: StoreEngine.allCases)
    func recalledInFlight(_ engine: StoreEngine) async throws {
        let store = try await prepared(engine)
        let first = try await store.claim(everything(), at: noon).deliveries
        _ = try await store.recall(MessageID(test: "m1"), at: noon)
        _ = try await store.settle(
            first.map { $0.settled(.retry(at: noon, rejection: nil, mayHaveArrived: true)) }, worker: "w", at: noon)
        let next = try await store.claim(everything(), at: noon).deliveries
        #expect(next.map(\.purpose) == [.removal])
    }

    @Test("recalled while in flight and then rejected: there is nothing to remove", arguments: StoreEngine.allCases)
    func recalledThenRejected(_ engine: StoreEngine) async throws {
        let store = try await prepared(engine)
        let first = try await store.claim(everything(), at: noon).deliveries
        _ = try await store.recall(MessageID(test: "m1"), at: noon)
        let said = Settlement.Rejection(reason: "PayloadTooLarge", status: 413)
        _ = try await store.settle(
            first.map { $0.settled(.rejected(said, .unaffected)) }, worker: "w", at: noon)
        #expect(try await store.claim(everything(), at: noon).deliveries.isEmpty)
        #expect(try await store.recallAnswer(MessageID(test: "m1"), limit: 1)?.recall == ["never sent": 1])
    }

    @Test("a lease that ran out during a recall does not bring the message back", arguments: StoreEngine.allCases)
    func recalledAfterLease(_ engine: StoreEngine) async throws {
        let store = try await prepared(engine)
        _ = try await store.claim(everything(worker: "dead"), at: noon)
        _ = try await store.recall(MessageID(test: "m1"), at: noon)
        let later = noon + .seconds(61)
        #expect(try await store.claim(everything(at: later), at: later).deliveries.map(\.purpose) == [.removal])
    }

    @Test("a replacement that comes while the first is in flight is sent too", arguments: StoreEngine.allCases)
    func replacedInFlight(_ engine: StoreEngine) async throws {
        let store = try await prepared(engine)
        let first = try await store.claim(everything(), at: noon).deliveries
        _ = try await store.accept(try message("m1", to: .users(["u1"]), text: "Corrected"), at: noon)
        _ = try await store.settle(first.map { $0.settled() }, worker: "w", at: noon)
        let next = try await store.claim(everything(), at: noon).deliveries
        #expect(next.map(\.revision) == [2])
    }

    @Test("410 ends the token only if it was not registered again since", arguments: StoreEngine.allCases)
    func unregistered(_ engine: StoreEngine) async throws {
        let store = try await prepared(engine)
        let said = Settlement.Rejection(reason: "Unregistered", status: 410)
        let first = try await store.claim(everything(), at: noon).deliveries
        _ = try await store.settle(
            first.map { $0.settled(.rejected(said, .invalidSince(noon - .seconds(1)))) }, worker: "w", at: noon)
        #expect(try await store.device("phone")?.state == .active)

        _ = try await store.accept(try message("m2", to: .users(["u1"])), at: noon)
        let second = try await store.claim(everything(), at: noon).deliveries
        _ = try await store.settle(
            second.map { $0.settled(.rejected(said, .invalidSince(noon + .seconds(1)))) }, worker: "w", at: noon)
        #expect(try await store.device("phone")?.state == .unregistered)
        let nobody = try await store.accept(try message("m3", to: .users(["u1"])), at: noon)
        #expect(nobody == .accepted(SendAnswer(id: MessageID(test: "m3"), state: .accepted, devices: 0), []))
    }

    @Test("a device in quarantine is sent to again after it registers", arguments: StoreEngine.allCases)
    func quarantine(_ engine: StoreEngine) async throws {
        let store = try await prepared(engine)
        _ = try await store.accept(try message("m2", to: .users(["u1"])), at: noon)
        let first = try await store.claim(everything(limit: 1), at: noon).deliveries
        let said = Settlement.Rejection(reason: "BadDeviceToken", status: 400)
        _ = try await store.settle(first.map { $0.settled(.rejected(said, .quarantined)) }, worker: "w", at: noon)
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
