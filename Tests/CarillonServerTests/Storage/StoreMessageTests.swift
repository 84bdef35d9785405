import CarillonCore
import CarillonServer
import Foundation
import Testing

@Suite("A store keeps messages", .serialized)
struct StoreMessageTests {
    @Test(
        "accepting queues one delivery for each device of the user, and no one else's", arguments: StoreEngine.allCases)
    func audience(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        _ = try await store.enrol(device("phone", user: "u1"), at: noon)
        _ = try await store.enrol(device("tablet", user: "u1"), at: noon)
        _ = try await store.enrol(device("other", user: "u2"), at: noon)
        let (acceptance, changes) = try await store.hearing {
            try await $0.accept(try message("m1", to: .users(["u1"])), at: noon)
        }
        guard case .accepted(let answer) = acceptance else {
            Issue.record("not accepted: \(acceptance)")
            return
        }
        #expect(answer.devices == 2)
        #expect(changes.timeline.map(\.device) == ["phone", "tablet"])
        let claimed = try await store.claim(everything(), at: noon).deliveries
        #expect(Set(claimed.map(\.device)) == ["phone", "tablet"])
    }

    @Test("everyone means every active device of the app", arguments: StoreEngine.allCases)
    func everyone(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        _ = try await store.enrol(device("a", user: "u1"), at: noon)
        _ = try await store.enrol(device("b"), at: noon)
        _ = try await store.enrol(device("c", app: ferry), at: noon)
        _ = try await store.accept(try message("m1", to: .everyone, counts: false), at: noon)
        #expect(Set(try await store.claim(everything(), at: noon).deliveries.map(\.device)) == ["a", "b"])
    }

    @Test(
        "the same idempotency key is one message, with another body it is a conflict", arguments: StoreEngine.allCases)
    func idempotency(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        _ = try await store.enrol(device("phone", user: "u1"), at: noon)
        _ = try await store.accept(try message("m1", to: .users(["u1"]), key: "k"), at: noon)
        let again = try await store.accept(try message("m2", to: .users(["u1"]), key: "k"), at: noon)
        #expect(again == .repeated(SendAnswer(id: MessageID(test: "m1"), state: .accepted, devices: 1)))
        let other = try await store.accept(try message("m3", to: .users(["u1"]), text: "Else", key: "k"), at: noon)
        #expect(other == .refused(.idempotencyKeyReused))
        #expect(try await store.claim(everything(), at: noon).deliveries.count == 1)
    }

    @Test(
        "a known id with the same body is a repetition, with another body a new revision",
        arguments: StoreEngine.allCases)
    func replacement(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        _ = try await store.enrol(device("phone", user: "u1"), at: noon)
        _ = try await store.accept(try message("m1", to: .users(["u1"])), at: noon)
        try await store.deliverAll()
        guard case .repeated = try await store.accept(try message("m1", to: .users(["u1"])), at: noon) else {
            Issue.record("the repetition was not seen as one")
            return
        }
        #expect(try await store.claim(everything(), at: noon).deliveries.isEmpty)
        _ = try await store.accept(try message("m1", to: .users(["u1"]), text: "Corrected"), at: noon)
        let claimed = try await store.claim(everything(), at: noon).deliveries
        #expect(claimed.map(\.revision) == [2])
        #expect(claimed.first?.message?.payload.aps.alert == .text("Corrected"))
    }

    @Test("a recall cancels what is queued and asks the devices reached for a removal", arguments: StoreEngine.allCases)
    func recall(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        _ = try await store.enrol(device("reached", user: "u1"), at: noon)
        _ = try await store.enrol(device("waiting", user: "u1"), at: noon)
        _ = try await store.accept(try message("m1", to: .users(["u1"])), at: noon)
        let first = try await store.claim(everything(limit: 1), at: noon).deliveries
        #expect(first.map(\.device) == ["reached"])
        _ = try await store.settle(first.map { $0.settled() }, at: noon)
        _ = try await store.recall(MessageID(test: "m1"), at: noon)

        let answer = try await store.recallAnswer(MessageID(test: "m1"), limit: 10)
        #expect(answer?.recall == ["pending until launch": 1, "never sent": 1])
        let claimed = try await store.claim(everything(), at: noon).deliveries
        #expect(claimed.map(\.purpose) == [.removal])
        #expect(claimed.map(\.device) == ["reached"])
        #expect(claimed.first?.removals.map(\.message) == [MessageID(test: "m1")])
        #expect(try await store.kinds("m1", on: "waiting") == [.queued, .cancelled])

        _ = try await store.record([receipt(.recalled, "m1")], from: "reached", at: noon)
        let confirmed = try await store.recallAnswer(MessageID(test: "m1"), limit: 10)
        #expect(confirmed?.recall == ["confirmed": 1, "never sent": 1])
        #expect(try await store.report(MessageID(test: "m1"), at: noon)?.state == .recalled)
    }

    @Test("a recalled message cannot be sent again, but its id can, as a new revision", arguments: StoreEngine.allCases)
    func recalledID(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        _ = try await store.accept(try message("m1", to: .users(["u1"])), at: noon)
        _ = try await store.recall(MessageID(test: "m1"), at: noon)
        let again = try await store.accept(try message("m1", to: .users(["u1"])), at: noon)
        #expect(again == .refused(.recalled))
        guard case .accepted = try await store.accept(try message("m1", to: .users(["u1"]), text: "New"), at: noon)
        else {
            Issue.record("other content is another message")
            return
        }
        let report = try await store.report(MessageID(test: "m1"), at: noon)
        #expect(report?.revision == 2 && report?.state != .recalled)
        #expect(try await store.recall(MessageID(test: "nothing"), at: noon) == nil)
    }

    @Test("unread counts what is neither read, recalled nor expired", arguments: StoreEngine.allCases)
    func unread(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        _ = try await store.enrol(device("phone", user: "u1"), at: noon)
        for id in ["a", "b", "c", "d"] {
            let until = id == "d" ? noon + .seconds(10) : nil
            _ = try await store.accept(try message(id, to: .users(["u1"]), until: until), at: noon)
        }
        #expect(try await store.sync("phone", limit: 10, at: noon)?.unread == 4)
        _ = try await store.recall(MessageID(test: "a"), at: noon)
        let outcome = try await store.markRead(.messages([MessageID(test: "b")]), user: "u1", on: nil, at: noon)
        #expect(outcome.marked == 1)
        #expect(outcome.unread == 2)
        #expect(try await store.sync("phone", limit: 10, at: noon + .seconds(10))?.unread == 1)
        #expect(try await store.markRead(.upTo(noon), user: "u1", on: nil, at: noon).unread == 0)
    }

    @Test("a message that is sent again goes to whoever has the phone now", arguments: StoreEngine.allCases)
    func newOwner(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        try await store.enrol(device("phone", user: "u1"), at: noon)
        _ = try await store.accept(try message("m1", to: .users(["u1"])), at: noon)
        try await store.deliverAll()
        _ = try await store.register(device("phone", user: "u2"), at: noon)
        try await store.deliverAll()
        _ = try await store.accept(
            try message("m1", to: .users(["u2"]), text: "For the other", replaces: true), at: noon)
        #expect(try await store.deliverAll().map(\.purpose) == [.show])
    }

    @Test(
        "what is sent again goes to the environment in which the device is now", arguments: StoreEngine.allCases)
    func otherEnvironment(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        try await store.enrol(device("phone", environment: .sandbox), at: noon)
        _ = try await store.accept(try message("m1", to: .devices(["phone"])), at: noon)
        try await store.deliverAll()
        try await store.enrol(device("phone", environment: .production), at: noon)
        _ = try await store.accept(try message("m1", to: .devices(["phone"]), text: "Again"), at: noon)
        var claim = everything()
        claim.only = AppID(topic: topic, environment: .production)
        #expect(try await store.claim(claim, at: noon).deliveries.map(\.purpose) == [.show])
    }

    @Test("a timeline has pages, every device is on exactly one, and none is empty", arguments: StoreEngine.allCases)
    func pages(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        for index in 0..<6 { _ = try await store.enrol(device("d\(index)", user: "u1"), at: noon) }
        _ = try await store.accept(try message("m1", to: .users(["u1"])), at: noon)
        for (limit, sizes) in [(3, [3, 3]), (4, [4, 2]), (6, [6]), (7, [6])] {
            var pages: [[String]] = []
            var after: String?
            repeat {
                let page = try await store.timeline(MessageID(test: "m1"), after: after, limit: limit, at: noon)
                pages.append(page?.devices.map(\.device) ?? [])
                after = page?.next
            } while after != nil
            #expect(pages.map(\.count) == sizes)
            #expect(pages.flatMap(\.self) == (0..<6).map { "d\($0)" })
        }
    }
}
