import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("A message that is sent by ranges, in inboxes", .serialized)
struct StoreRangeInboxTests {
    private static let ada = UserReference("ada", of: chime.number)
    private static let bob = UserReference("bob", of: chime.number)
    private static let reference = MessageReference(MessageID(test: "m"), of: chime.number)

    /// Two devices of Ada's, and others of nobody's; a message to all that counts as unread, which was sent.
    private func store(_ engine: StoreEngine, sends: Bool = true, until: Timestamp? = nil) async throws -> Store {
        let store = try await engine.make(ranges: RangeRules(devices: 3, chunkDevices: 4))
        for (id, user) in [("a1", "ada"), ("x1", nil), ("x2", nil), ("x3", nil), ("x4", nil), ("a2", "ada")] {
            try await store.enrol(device(id, user: user), at: noon)
        }
        var new = try message("m", to: .everyone, until: until)
        (new.badgeIsUnreadCount, new.removesExpired) = (true, until != nil)
        _ = try await store.accept(new, at: noon)
        guard sends else { return store }
        let pushes = try await claimAll(store)
        #expect(pushes.filter { $0.device.hasPrefix("a") }.allSatisfy { $0.unread == 1 })
        #expect(pushes.filter { $0.device.hasPrefix("x") }.allSatisfy { $0.unread == nil })
        try await store.settle(
            pushes.map { claim in
                claim.settled(badge: claim.unread.map(ClaimedDelivery.BadgeEffect.unread) ?? .none)
            }, at: noon)
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

    private func ids(_ store: Store, _ user: UserReference, at now: Timestamp = noon) async throws -> [String] {
        try await store.inbox(user: user, before: nil, limit: 9, at: now).map {
            "\($0.id) \($0.readAt == nil ? "unread" : "read")"
        }
    }

    @Test("is there, unread, with nothing written for it, until it was read once", arguments: StoreEngine.allCases)
    func unread(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        #expect(try await ids(store, Self.ada) == ["m unread"])
        #expect(try await store.sync("a1", limit: 9, at: noon)?.unread == 1)
        let database = store
        #expect(try await database.read { try $0.integer("SELECT count(*) FROM inbox") } == 0)
        _ = try await store.record([receipt(.opened, "m")], from: "a1", at: noon)
        #expect(try await ids(store, Self.ada) == ["m read"])
        #expect(try await store.sync("a2", limit: 9, at: noon)?.unread == 0)
        #expect(try await claimAll(store).map { "\($0.purpose) \($0.device)" } == ["removal a2"])
        let again = try await store.markRead(.messages([MessageID(test: "m")]), user: Self.ada, on: nil, at: noon)
        #expect(again.marked == 0 && again.unread == 0)
    }

    @Test("is read up to a moment with all others", arguments: StoreEngine.allCases)
    func upTo(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        _ = try await store.accept(try message("own", to: .users(["ada"])), at: noon + .seconds(1))
        #expect(try await ids(store, Self.ada, at: noon + .seconds(1)) == ["own unread", "m unread"])
        let outcome = try await store.markRead(.upTo(noon), user: Self.ada, on: nil, at: noon + .seconds(2))
        #expect(outcome.marked == 1 && outcome.unread == 1)
        let page = try await store.inbox(user: Self.ada, before: nil, limit: 1, at: noon + .seconds(2))
        #expect(page.map(\.id.rawValue) == ["own"])
        let rest = try await store.inbox(user: Self.ada, before: page[0].number, limit: 9, at: noon + .seconds(2))
        #expect(rest.map(\.id.rawValue) == ["m"])
    }

    @Test("is of nobody who signed in after it was decided on", arguments: StoreEngine.allCases)
    func signedOut(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        try await store.enrol(device("x1", user: "bob"), at: noon)
        #expect(try await ids(store, Self.bob).isEmpty)
        _ = try await store.signOut("a1", by: .app, at: noon)
        #expect(try await ids(store, Self.ada) == ["m unread"])
        try await store.enrol(device("a1", user: "bob"), at: noon)
        #expect(try await ids(store, Self.bob).isEmpty)
        // Another takes the last of her devices, without a sign-out before.
        try await store.enrol(device("a2", user: "bob"), at: noon)
        #expect(try await ids(store, Self.bob).isEmpty)
        #expect(try await ids(store, Self.ada).isEmpty)
        try await store.enrol(device("a2", user: "ada"), at: noon)
        #expect(try await ids(store, Self.ada).isEmpty)
        _ = try await store.accept(try message("next", to: .everyone), at: noon)
        _ = try await claimAll(store)
        #expect(try await ids(store, Self.bob) == ["next unread"])
    }

    @Test("counts no more when it was recalled or has ended, and idle icons learn that", arguments: [true, false])
    func ended(_ isRecalled: Bool) async throws {
        let until = noon + .seconds(3600)
        let store = try await store(.sqlite, until: until)
        // The message is not for this device, but it shows her number too.
        try await store.enrol(device("late", user: "ada"), at: noon)
        try await store.write(at: noon) {
            try $0.execute("UPDATE devices SET badge = 1 WHERE id = 'late'")
        }
        if isRecalled { _ = try await store.recall(MessageID(test: "m"), at: noon) }
        let now = isRecalled ? noon : until
        let pushes = try await claimAll(store, at: now).filter { ["a1", "a2", "late"].contains($0.device) }
        #expect(pushes.map { "\($0.purpose) \($0.device)" } == ["removal a1", "removal a2", "badge late"])
        #expect(pushes.allSatisfy { $0.unread == 0 })
        #expect(try await ids(store, Self.ada, at: now).isEmpty)
    }

    @Test("one that is cancelled stays with those whom it may have reached", arguments: StoreEngine.allCases)
    func cancelled(_ engine: StoreEngine) async throws {
        let store = try await store(engine, sends: false)
        try await store.enrol(device("b1", user: "bob"), at: noon)
        _ = try await store.claim(everything(limit: 1), at: noon)
        _ = try await store.claim(everything(limit: 4), at: noon)
        _ = try await store.steer(Self.reference, .cancel, at: noon)
        #expect(try await ids(store, Self.ada) == ["m unread"])
        #expect(try await ids(store, Self.bob).isEmpty)
    }
}
