import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("A newer revision of a message that is sent by ranges", .serialized)
struct StoreRangeReplaceTests {
    private func store(_ engine: StoreEngine, devices: Int = 6) async throws -> Store {
        let store = try await engine.make(ranges: RangeRules(devices: 3, chunkDevices: 4))
        for number in 0..<devices {
            try await store.enrol(device("d\(number)", user: "u\(number)", tags: ["t\(number)"]), at: noon)
        }
        return store
    }

    private func revision(_ text: String, where condition: String? = nil, counts: Bool = false) throws -> NewMessage {
        let audience: Audience = try condition.map { .matching(try AudienceParser.parse($0)) } ?? .everyone
        return try message("m", to: audience, text: text, counts: counts, replaces: true)
    }

    private func claimAll(_ store: Store, worker: String = "w", at now: Timestamp = noon) async throws
        -> [ClaimedDelivery]
    {
        var found: [ClaimedDelivery] = []
        while true {
            let claim = try await store.claim(everything(worker: worker), at: now)
            found += claim.deliveries
            if claim.examined == 0 { return found.sorted { $0.device < $1.device } }
        }
    }

    private func names(_ claims: [ClaimedDelivery]) -> [String] {
        claims.map { "\($0.purpose) \($0.device)" + ($0.message == nil ? "" : " \($0.revision)") }
    }

    private func report(_ store: Store) async throws -> NotificationReport {
        try #require(try await store.report(MessageID(test: "m"), at: noon))
    }

    @Test(
        "goes to whom it is for, and is removed from who had the one before and gets this one not",
        arguments: StoreEngine.allCases)
    func otherAudience(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        _ = try await store.accept(try revision("One", where: "not tag:t5"), at: noon)
        let first = try await claimAll(store)
        // One is refused for good, and one tried again: they have rows.
        try await store.settle(
            first.map { claim in
                claim.settled(
                    claim.device == "d1"
                        ? rejected("PayloadTooLarge", 413)
                        : claim.device == "d2"
                            ? .unanswered("") : .accepted(apnsID: PushIdentifier.uuid(name: "", namespace: [])))
            }, at: noon)
        _ = try await store.record([receipt(.shown, "m")], from: "d3", at: noon)
        _ = try await store.accept(try revision("Two", where: "not tag:t0 and not tag:t2"), at: noon)
        let second = try await claimAll(store)
        #expect(
            names(second) == ["removal d0", "show d1 2", "removal d2", "show d3 2", "show d4 2", "show d5 2"])
        #expect(second.filter { $0.purpose == .show }.allSatisfy { $0.attempt == 1 })
        #expect(second[0].removals == [Removal(MessageID(test: "m"), revision: 1, reason: .replaced)])
        try await store.settle(second.map { $0.settled() }, at: noon)
        let counts = try await report(store).counts
        #expect(counts.devices == 4 && counts.accepted == 5 && counts.cancelled == 1 && counts.shown == 0)
        #expect(try await claimAll(store, at: noon + .seconds(3600)).isEmpty)
        // What is said of the former revision is not said of this one.
        var late = receipt(.opened, "m", id: "late")
        late.revision = 1
        #expect(try await store.record([late], from: "d3", at: noon).recorded.isEmpty)
        late.revision = 2
        #expect(try await store.record([late], from: "d3", at: noon).recorded.count == 1)
        _ = try await store.record([receipt(.recalled, "m")], from: "d0", at: noon)
        #expect(try await store.sync("d0", limit: 9, at: noon)?.removals == [])
        // A recall takes back both.
        _ = try await store.recall(MessageID(test: "m"), at: noon)
        let answer = try #require(try await store.recallAnswer(MessageID(test: "m"), limit: 9))
        #expect(answer.recall == ["confirmed": 1, "pending until launch": 5], "\(answer)")
    }

    @Test("waits for what is in flight of the one before, whoever has it", arguments: StoreEngine.allCases)
    func lease(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        _ = try await store.accept(try revision("One"), at: noon)
        let first = try await store.claim(everything(limit: 2), at: noon).deliveries
        _ = try await store.accept(try revision("Two"), at: noon)
        #expect(try await claimAll(store).isEmpty)
        #expect(try await claimAll(store, worker: "other").isEmpty)
        #expect(try await store.nextDue(except: []) == nil)
        #expect(try await report(store).state == .sending)
        try await store.settle([first[0].settled(), first[1].settled(.unanswered(""))], at: noon)
        let second = try await claimAll(store, worker: "other", at: noon + .seconds(600))
        #expect(names(second) == (0..<6).map { "show d\($0) 2" })
        try await store.settle(second.map { $0.settled() }, at: noon)
        let counts = try await report(store).counts
        #expect(counts.devices == 6 && counts.accepted == 6 && counts.secondSends == 0)
    }

    @Test("takes over what a sender that is gone had in flight", arguments: StoreEngine.allCases)
    func lapse(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        _ = try await store.accept(try revision("One"), at: noon)
        _ = try await store.claim(everything(limit: 2), at: noon)
        _ = try await store.accept(try revision("Two", where: "not tag:t0"), at: noon)
        _ = try await store.release(try await store.sender("w"), ifStillAt: nil, limit: 100, at: noon)
        #expect(
            names(try await claimAll(store, worker: "other"))
                == ["removal d0"] + (1..<6).map { "show d\($0) 2" })
    }

    @Test("may have reached the phone in its former revision, whatever becomes of it", arguments: StoreEngine.allCases)
    func former(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        _ = try await store.accept(try revision("One"), at: noon)
        try await store.settle(try await claimAll(store).map { $0.settled() }, at: noon)
        _ = try await store.accept(try revision("Two"), at: noon)
        // Decided on, and handed over to one.
        let one = try await store.claim(everything(limit: 1), at: noon).deliveries
        try await store.settle([one[0].settled(rejected("PayloadTooLarge", 413))], at: noon)
        _ = try await store.recall(MessageID(test: "m"), at: noon)
        let removals = try await claimAll(store)
        #expect(removals.map(\.device) == (0..<6).map { "d\($0)" } && removals.allSatisfy { $0.purpose == .removal })
    }

    @Test("is unread again for those whom it is for, and in no other inbox", arguments: StoreEngine.allCases)
    func inbox(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        _ = try await store.accept(try revision("One", counts: true), at: noon)
        try await store.settle(try await claimAll(store).map { $0.settled() }, at: noon)
        for user in ["u0", "u1"] {
            _ = try await store.markRead(
                .messages([MessageID(test: "m")]), user: UserReference(user, of: chime.number), on: nil, at: noon)
        }
        _ = try await store.accept(try revision("Two", where: "not tag:t0", counts: true), at: noon)
        _ = try await claimAll(store)
        for (user, entries) in [("u0", 0), ("u1", 1), ("u2", 1)] {
            let user = UserReference(user, of: chime.number)
            let inbox = try await store.inbox(user: user, before: nil, limit: 9, at: noon)
            #expect(inbox.count == entries && inbox.allSatisfy { $0.readAt == nil && $0.revision == 2 }, "\(user)")
        }
        let again = try await store.markRead(
            .upTo(noon), user: UserReference("u1", of: chime.number), on: nil, at: noon)
        #expect(again.marked == 1 && again.unread == 0)
    }
}
