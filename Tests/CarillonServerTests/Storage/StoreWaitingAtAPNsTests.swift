import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

/// APNs keeps one push for a phone that is offline; a removal that it keeps would take the place of a message.
@Suite("A removal is sent so that APNs does not keep it", .serialized)
struct StoreWaitingAtAPNsTests {
    /// Whether each of two messages is kept in bits.
    struct Forms: Sendable, CustomTestStringConvertible {
        let engine: StoreEngine
        let first: Bool
        let second: Bool

        var testDescription: String { "\(engine.rawValue), \(first ? "bits" : "row") and \(second ? "bits" : "row")" }
    }

    private static let forms = StoreEngine.allCases.flatMap { engine in
        [false, true].flatMap { first in
            [false, true].map { Forms(engine: engine, first: first, second: $0) }
        }
    }
    private static let later = noon + .seconds(60)

    private func store(_ engine: StoreEngine) async throws -> Store {
        let store = try await engine.make(ranges: RangeRules(devices: 1, chunkDevices: 4))
        try await store.enrol([device("d", user: "u"), device("e")], at: noon)
        return store
    }

    private func accept(
        _ id: String, isRanged: Bool, _ mode: DeliveryMode = .visible, in store: Store, at now: Timestamp
    ) async throws {
        let audience: Audience = isRanged ? .everyone : .users(["u"])
        _ = try await store.accept(try message(id, to: audience, mode: mode, counts: false), at: now)
    }

    private func deliver(_ store: Store, at now: Timestamp) async throws {
        let due = try await store.claim(everything(), at: now).deliveries
        try await store.settle(due.map { $0.settled(at: now) }, at: now)
    }

    /// Recalls a message, and returns whether the removal may take a message's place at APNs.
    private func mayTakeAPlace(_ id: String, in store: Store) async throws -> Bool? {
        let now = Self.later + .seconds(10)
        try await store.recall(MessageID(test: id), at: now)
        let removals = try await store.claim(everything(), at: now).deliveries
        return removals.first { $0.device == "d" && $0.purpose == .removal }?.hasUnanswered
    }

    @Test("no more, once the phone has reported a message that was queued after APNs had the other", arguments: forms)
    func reportedLater(_ forms: Forms) async throws {
        let store = try await store(forms.engine)
        try await accept("m1", isRanged: forms.first, in: store, at: noon)
        try await deliver(store, at: noon)
        try await accept("m2", isRanged: forms.second, in: store, at: Self.later)
        try await deliver(store, at: Self.later)
        _ = try await store.record([receipt(.shown, "m2", at: Self.later)], from: "d", at: Self.later)
        #expect(try await mayTakeAPlace("m2", in: store) == false)
    }

    @Test("while the other was given to APNs after the reported one was queued", arguments: forms)
    func acceptedLater(_ forms: Forms) async throws {
        let store = try await store(forms.engine)
        try await accept("m1", isRanged: forms.first, in: store, at: noon)
        try await accept("m2", isRanged: forms.second, in: store, at: noon)
        let sent = try await store.claim(everything(), at: noon).deliveries.filter { $0.device == "d" }
        func settle(_ id: String, at now: Timestamp) async throws {
            let own = sent.filter { $0.message?.id.rawValue == id }
            #expect(own.count == 1)
            try await store.settle(own.map { $0.settled(at: now) }, at: now)
        }
        try await settle("m2", at: noon)
        _ = try await store.record([receipt(.shown, "m2")], from: "d", at: noon)
        try await settle("m1", at: Self.later)
        #expect(try await mayTakeAPlace("m2", in: store) == true)
    }

    @Test("while a silent one may wait, whatever visible ones are reported", arguments: forms)
    func otherKind(_ forms: Forms) async throws {
        let store = try await store(forms.engine)
        try await accept("m1", isRanged: forms.first, .silent, in: store, at: noon)
        try await deliver(store, at: noon)
        try await accept("m2", isRanged: forms.second, in: store, at: Self.later)
        try await deliver(store, at: Self.later)
        _ = try await store.record([receipt(.shown, "m2", at: Self.later)], from: "d", at: Self.later)
        #expect(try await mayTakeAPlace("m2", in: store) == true)
    }

    @Test("also where the phone has only confirmed a removal, of which it may know otherwise", arguments: forms)
    func confirmedRemoval(_ forms: Forms) async throws {
        let store = try await store(forms.engine)
        try await accept("m1", isRanged: forms.first, in: store, at: noon)
        try await deliver(store, at: noon)
        for id in ["m2", "m3"] { try await accept(id, isRanged: forms.second, in: store, at: Self.later) }
        try await deliver(store, at: Self.later)
        try await store.recall(MessageID(test: "m2"), at: Self.later)
        try await deliver(store, at: Self.later)
        _ = try await store.record([receipt(.recalled, "m2", at: Self.later)], from: "d", at: Self.later)
        #expect(try await mayTakeAPlace("m3", in: store) == true)
    }
}
