import CarillonCore
import CarillonServer
import Foundation
import Testing

@Suite("A store owns the badge", .serialized)
struct StoreBadgeTests {
    /// Delivers everything as the worker does: alert pushes put the unread count on the icon.
    private func deliver(_ store: Store, at now: Timestamp = noon) async throws -> [ClaimedDelivery] {
        let claimed = try await store.claim(everything(), at: now).deliveries
        let settlements = claimed.map { delivery in
            delivery.settled(at: now, badge: delivery.purpose == .removal ? .none : .unread(delivery.unread ?? 0))
        }
        _ = try await store.settle(settlements, at: now)
        return claimed
    }

    @Test("a changed number alone travels as a badge push, where no removal goes", arguments: StoreEngine.allCases)
    func alone(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        _ = try await store.enrol(device("phone", user: "u1"), at: noon)
        _ = try await store.accept(try message("a", to: .users(["u1"])), at: noon)
        _ = try await deliver(store)
        _ = try await store.enrol(device("late", user: "u1"), at: noon)
        _ = try await store.accept(try message("b", to: .users(["u1"])), at: noon)
        _ = try await deliver(store)
        // "a" never went to the late device: nothing is to be removed there, but its number has changed.
        _ = try await store.markRead(.messages([MessageID(test: "a")]), user: "u1", on: nil, at: noon)
        let claimed = try await store.claim(everything(), at: noon).deliveries
        #expect(claimed.map(\.device).sorted() == ["late", "phone"])
        #expect(claimed.first { $0.device == "phone" }?.purpose == .removal)
        #expect(claimed.first { $0.device == "late" }?.purpose == .badge)
        #expect(claimed.first { $0.device == "late" }?.unread == 1)
    }

    @Test(
        "no badge push where the number is the same, nor where the sender's own number stands",
        arguments: StoreEngine.allCases)
    func none(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        _ = try await store.accept(try message("a", to: .users(["u1"])), at: noon)
        _ = try await store.enrol(device("phone", user: "u1"), at: noon)
        _ = try await store.accept(try message("b", to: .users(["u1"])), at: noon)
        let claimed = try await store.claim(everything(), at: noon).deliveries
        _ = try await store.settle([try #require(claimed.first).settled(badge: .sender)], at: noon)
        _ = try await store.markRead(.messages([MessageID(test: "a")]), user: "u1", on: nil, at: noon)
        #expect(try await store.claim(everything(), at: noon).deliveries.isEmpty)
    }

    @Test(
        "the phone on which it was opened is told the number in the answer, not by a push",
        arguments: StoreEngine.allCases)
    func answered(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        _ = try await store.enrol(device("phone", user: "u1"), at: noon)
        _ = try await store.accept(try message("a", to: .users(["u1"])), at: noon)
        _ = try await deliver(store)
        _ = try await store.record([receipt(.opened, "a")], from: "phone", at: noon)
        #expect(try await store.claim(everything(), at: noon).deliveries.isEmpty)
    }
}
