import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("A store keeps devices and receipts", .serialized)
struct StoreDeviceTests {
    @Test("the same token in the other environment is another device", arguments: StoreEngine.allCases)
    func environments(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        _ = try await store.enrol(device("a", token: "aa", environment: .sandbox), at: noon)
        _ = try await store.enrol(device("b", token: "aa", environment: .production), at: noon)
        #expect(try await store.device("a")?.state == .active)
    }

    @Test(
        "a change of the locale does not register the token again: what APNs said of it stands",
        arguments: StoreEngine.allCases)
    func update(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        _ = try await store.enrol(device("phone", user: "u1"), at: noon)
        _ = try await store.accept(try message("m1", to: .users(["u1"])), at: noon)
        let said = rejected("BadDeviceToken", 400)
        let claimed = try await store.claim(everything(), at: noon).deliveries
        _ = try await store.settle(claimed.map { $0.settled(said) }, at: noon)
        _ = try await store.change(
            "phone", DeviceUpdate(facts: ["locale": "de"], nonce: "n"), at: noon + .seconds(5))
        let now = try await store.device("phone")
        #expect(now?.facts.locale == "de")
        #expect(now?.state == .quarantined)
        #expect(now?.tokenRegistered == noon)
        #expect(now?.user == "u1")
    }

    @Test("another user's sign-in signs the former user out first", arguments: StoreEngine.allCases)
    func otherUser(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        _ = try await store.enrol(device("phone", user: "u1"), at: noon)
        _ = try await store.accept(try message("waiting", to: .users(["u1"])), at: noon)
        _ = try await store.enrol(device("phone", user: "u2"), at: noon)
        #expect(try await store.claim(everything(), at: noon).deliveries.isEmpty)
        #expect(try await store.kinds("waiting", on: "phone") == [.queued, .cancelled])
        #expect(try await store.device("phone")?.user == "u2")
        #expect(try await store.sync("phone", limit: 5, at: noon)?.unread == 0)
    }

    @Test("an installation's id cannot be taken over with another secret", arguments: StoreEngine.allCases)
    func secret(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        _ = try await store.enrol(device("phone", user: "u1"), at: noon)
        let outcome = try await store.enrol(device("phone", user: "stranger", token: "bb", secret: 2), at: noon)
        #expect(outcome == .wrongSecret)
        #expect(try await store.device("phone")?.user == "u1")
    }

    @Test("registering without a sign-in leaves the device bound as it was", arguments: StoreEngine.allCases)
    func bound(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        _ = try await store.enrol(device("phone", user: "u1"), at: noon)
        _ = try await store.enrol(device("phone", user: nil), at: noon)
        #expect(try await store.device("phone")?.user == "u1")
    }

    @Test("after a sign-out nothing of the user is sent to the device any more", arguments: StoreEngine.allCases)
    func signOut(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        _ = try await store.enrol(device("phone", user: "u1"), at: noon)
        _ = try await store.accept(try message("waiting", to: .users(["u1"])), at: noon)
        _ = try await store.signOut("phone", by: .app, at: noon)
        #expect(try await store.device("phone")?.user == nil)
        #expect(try await store.claim(everything(), at: noon).deliveries.isEmpty)
        #expect(try await store.sync("phone", limit: 10, at: noon)?.unread == nil)
    }

    @Test("what was under way at a sign-out is to be removed when it arrives", arguments: StoreEngine.allCases)
    func signOutUnderWay(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        _ = try await store.enrol(device("phone", user: "u1"), at: noon)
        _ = try await store.accept(try message("sent", to: .users(["u1"])), at: noon)
        try await store.deliverAll()
        _ = try await store.signOut("phone", by: .app, at: noon)
        #expect(
            try await store.sync("phone", limit: 10, at: noon)?.removals.map(\.message) == [MessageID(test: "sent")])
    }

    @Test(
        "signed out by the backend, or by another user's sign-in, the phone is told to remove what it shows",
        arguments: StoreEngine.allCases)
    func signOutByService(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        _ = try await store.enrol(device("phone", user: "u1"), at: noon)
        for id in ["shown", "opened"] { _ = try await store.accept(try message(id, to: .users(["u1"])), at: noon) }
        try await store.deliverAll()
        _ = try await store.record(
            [receipt(.shown, "shown"), receipt(.opened, "opened")], from: "phone", at: noon)
        _ = try await store.enrol(device("phone", user: "u2"), at: noon)
        #expect(
            try await store.sync("phone", limit: 10, at: noon)?.removals
                == [Removal(MessageID(test: "shown"), reason: .signOut)])
    }

    @Test("a receipt counts once, however often it is sent", arguments: StoreEngine.allCases)
    func receipts(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        _ = try await store.enrol(device("phone", user: "u1"), at: noon)
        _ = try await store.accept(try message("m1", to: .users(["u1"])), at: noon)
        try await store.deliverAll()
        let shown = receipt(.shown, "m1")
        let first = try await store.record([shown, shown], from: "phone", at: noon)
        #expect(first.recorded == [shown])
        #expect(try await store.record([shown], from: "phone", at: noon).recorded.isEmpty)
        #expect(try await store.kinds("m1", on: "phone") == [.queued, .sent, .accepted, .shown])
        #expect(try await store.report(MessageID(test: "m1"), at: noon)?.counts.shown == 1)
    }

    @Test("a receipt about a message that was never for this device is ignored", arguments: StoreEngine.allCases)
    func foreignReceipt(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        _ = try await store.enrol(device("phone", user: "u1"), at: noon)
        _ = try await store.enrol(device("stranger", user: "u2"), at: noon)
        _ = try await store.accept(try message("m1", to: .users(["u1"])), at: noon)
        let outcome = try await store.record([receipt(.opened, "m1")], from: "stranger", at: noon)
        #expect(outcome.recorded.isEmpty)
        #expect(try await store.sync("phone", limit: 10, at: noon)?.unread == 1)
    }

    @Test(
        "opened on one device: read, and to be removed from the user's other devices", arguments: StoreEngine.allCases)
    func opened(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        for id in ["phone", "tablet"] { _ = try await store.enrol(device(id, user: "u1"), at: noon) }
        _ = try await store.accept(try message("m1", to: .users(["u1"])), at: noon)
        try await store.deliverAll()
        _ = try await store.record([receipt(.opened, "m1")], from: "phone", at: noon)
        #expect(try await store.sync("phone", limit: 10, at: noon)?.unread == 0)
        #expect(try await store.sync("phone", limit: 10, at: noon)?.removals == [])
        #expect(try await store.sync("tablet", limit: 10, at: noon)?.removals.map(\.message) == [MessageID(test: "m1")])
        let claimed = try await store.claim(everything(), at: noon).deliveries
        #expect(claimed.map(\.device) == ["tablet"])
        #expect(claimed.map(\.purpose) == [.removal])
    }

    @Test("two removals for one device travel in one push", arguments: StoreEngine.allCases)
    func coalesced(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        _ = try await store.enrol(device("phone", user: "u1"), at: noon)
        for id in ["a", "b"] { _ = try await store.accept(try message(id, to: .users(["u1"])), at: noon) }
        try await store.deliverAll()
        _ = try await store.recall(MessageID(test: "a"), at: noon)
        _ = try await store.recall(MessageID(test: "b"), at: noon + .seconds(1))
        let claimed = try await store.claim(everything(), at: noon + .seconds(1)).deliveries
        #expect(claimed.map { $0.removals.map(\.message) } == [[MessageID(test: "b"), MessageID(test: "a")]])
    }
}
