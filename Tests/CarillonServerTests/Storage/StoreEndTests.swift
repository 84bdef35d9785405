import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("A store carries out the end of a message", .serialized)
struct StoreEndTests {
    private let until = noon + .seconds(60)

    private func ending(_ id: String, to audience: Audience, removes: Bool = true) throws -> NewMessage {
        var message = try message(id, to: audience, until: until)
        message.removesExpired = removes
        return message
    }

    @Test(
        "when it has passed, each device that may show it gets a removal, and none before",
        arguments: StoreEngine.allCases)
    func removed(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        try await store.enrol([device("a", user: "u1"), device("b", user: "u1"), device("c", user: "u1")], at: noon)
        _ = try await store.accept(try ending("m1", to: .users(["u1"])), at: noon)
        #expect(try await store.nextDue(except: []) == noon)
        try await store.deliverAll()
        _ = try await store.record([receipt(.dismissed, "m1")], from: "b", at: noon)
        #expect(try await store.nextDue(except: []) == until, "the sender wakes for it")
        #expect(try await store.claim(everything(), at: until - .milliseconds(1)).deliveries.isEmpty)
        let claim = try await store.claim(everything(), at: until)
        #expect(claim.deliveries.map(\.device) == ["a", "c"])
        #expect(claim.deliveries.allSatisfy { $0.purpose == .removal })
        #expect(claim.deliveries.first?.removals == [Removal(MessageID(test: "m1"), reason: .expired)])
        _ = try await store.settle(claim.deliveries.map { $0.settled(at: until) }, at: until)
        _ = try await store.record([receipt(.expired, "m1")], from: "a", at: until)
        let report = try #require(try await store.report(MessageID(test: "m1"), at: until))
        #expect(report.state == .expired && report.recall == ["confirmed": 2, "pending until launch": 1])
        let timeline = try await store.timeline(MessageID(test: "m1"), after: nil, limit: 10, at: until)
        #expect(timeline?.devices.map(\.recall) == [.confirmed, .confirmed, .pending])
        #expect(try await store.claim(everything(), at: until + .seconds(1)).examined == 0, "once")
    }

    @Test("not where it is not asked for, nor after a recall has done it", arguments: StoreEngine.allCases)
    func notAsked(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        _ = try await store.enrol(device("a", user: "u1"), at: noon)
        _ = try await store.accept(try ending("m1", to: .everyone, removes: false), at: noon)
        _ = try await store.accept(try ending("m2", to: .users(["u1"])), at: noon)
        try await store.deliverAll()
        try await store.recall(MessageID(test: "m2"), at: noon)
        try await store.deliverAll()
        _ = try await store.record([receipt(.recalled, "m2")], from: "a", at: noon)
        #expect(try await store.claim(everything(), at: until).deliveries.allSatisfy { $0.purpose != .removal })
        #expect(try await store.report(MessageID(test: "m1"), at: until)?.recall == nil)
        #expect(try await store.report(MessageID(test: "m2"), at: until)?.recall == ["confirmed": 1])
    }

    @Test("a new revision has an end of its own", arguments: StoreEngine.allCases)
    func replaced(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        _ = try await store.enrol(device("a", user: "u1"), at: noon)
        _ = try await store.accept(try ending("m1", to: .users(["u1"])), at: noon)
        try await store.deliverAll()
        _ = try await store.accept(try message("m1", to: .users(["u1"]), text: "Later"), at: noon)
        try await store.deliverAll()
        #expect(try await store.claim(everything(), at: until).deliveries.isEmpty)
    }

    @Test("what waits when it has passed is not sent, and says so", arguments: StoreEngine.allCases)
    func waiting(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        _ = try await store.enrol(device("a", user: "u1"), at: noon)
        _ = try await store.accept(try ending("m1", to: .users(["u1"])), at: noon)
        #expect(try await store.claim(everything(), at: until).deliveries.isEmpty)
        #expect(try await store.kinds("m1", on: "a", at: until) == [.queued, .expired])
        #expect(try await store.report(MessageID(test: "m1"), at: until)?.recall == ["never sent": 1])
    }

    // MARK: Notices

    private let notice = RecallNotice(title: "Withdrawn", body: "This message was withdrawn.")

    private func recall(_ store: Store, _ id: String, _ notice: RecallNotice?, at now: Timestamp = noon)
        async throws
    {
        let message = MessageReference(MessageID(test: id), of: chime.number)
        _ = try await store.recall(message, notice: notice, SendingRules(), at: now)
    }

    @Test(
        "a notice goes to whom APNs took it for and who has not confirmed; the report names it",
        arguments: StoreEngine.allCases)
    func notices(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        try await store.enrol([device("a", user: "u1"), device("b", user: "u1")], at: noon)
        _ = try await store.accept(try message("m1", to: .users(["u1"])), at: noon)
        try await store.deliverAll()
        _ = try await store.enrol(device("late", user: "u1"), at: noon)
        try await recall(store, "m1", notice)
        #expect(try await store.deliverAll().allSatisfy { $0.purpose == .removal })
        _ = try await store.record([receipt(.recalled, "m1")], from: "a", at: noon)
        let later = noon + .seconds(60)
        #expect(try await store.nextDue(except: []) == later)
        let sent = try await store.deliverAll(at: later)
        #expect(sent.map(\.device) == ["b"] && sent.map(\.purpose) == [.notice])
        #expect(sent.first?.message?.notice == notice)
        #expect(try await store.report(MessageID(test: "m1"), at: later)?.recall == ["confirmed": 1, "replaced": 1])
        let answer = try await store.recallAnswer(MessageID(test: "m1"), limit: 10)
        #expect(answer?.devices.map(\.recall) == [.confirmed, .replaced])
        _ = try await store.record([receipt(.recalled, "m1", id: "r2")], from: "b", at: later)
        #expect(try await store.report(MessageID(test: "m1"), at: later)?.recall == ["confirmed": 2])
    }

    @Test("the first notice stands, also when it comes after the recall", arguments: StoreEngine.allCases)
    func firstNotice(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        _ = try await store.enrol(device("a", user: "u1"), at: noon)
        _ = try await store.accept(try message("m1", to: .users(["u1"])), at: noon)
        try await store.deliverAll()
        try await recall(store, "m1", nil)
        try await recall(store, "m1", notice)
        try await recall(store, "m1", RecallNotice(title: nil, body: "Another"))
        let sent = try await store.deliverAll(at: noon + .seconds(60))
        #expect(sent.compactMap(\.message?.notice) == [notice])
    }

    @Test("a notice of an erased user's message is erased with it", arguments: StoreEngine.allCases)
    func erased(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        _ = try await store.enrol(device("a", user: "u1"), at: noon)
        _ = try await store.accept(try message("m1", to: .users(["u1"])), at: noon)
        try await store.deliverAll()
        try await recall(store, "m1", notice)
        _ = try await store.erase(UserReference("u1", of: chime.number), at: noon)
        let sent = try await store.deliverAll(at: noon + .seconds(60))
        #expect(!sent.contains { $0.purpose == .notice } && sent.allSatisfy { $0.message?.notice == nil })
    }

    @Test("after three notices that had to stand in, the next one goes at once", arguments: StoreEngine.allCases)
    func unheard(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        _ = try await store.enrol(device("a", user: "u1"), at: noon)
        var now = noon
        for number in 1...4 {
            _ = try await store.accept(try message("m\(number)", to: .users(["u1"])), at: now)
            try await store.deliverAll(at: now)
            try await recall(store, "m\(number)", notice, at: now)
            let purposes = Set(try await store.deliverAll(at: now).map(\.purpose))
            #expect(purposes.contains(.notice) == (number == 4), "\(number)")
            now = now + .seconds(60)
            try await store.deliverAll(at: now)
        }
    }

    // MARK: Replies

    private func reply(_ text: String, to message: String) -> Receipt {
        Receipt(
            id: "\(message)-reply", message: MessageID(test: message), event: .acted, at: noon, detail: "REPLY",
            reply: text)
    }

    @Test(
        "a reply is kept where the message asks, and nowhere else; erased with the user",
        arguments: StoreEngine.allCases)
    func replies(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        _ = try await store.enrol(device("a", user: "u1"), at: noon)
        var asking = try message("asks", to: .users(["u1"]))
        asking.keepsReplies = true
        _ = try await store.accept(asking, at: noon)
        _ = try await store.accept(try message("plain", to: .users(["u1"])), at: noon)
        try await store.deliverAll()
        _ = try await store.record(
            [reply("Yes, gladly", to: "asks"), reply("secret", to: "plain")], from: "a", at: noon)
        func told(_ id: String) async throws -> [String] {
            let timeline = try await store.timeline(MessageID(test: id), after: nil, limit: 10, at: noon)
            return timeline?.devices.flatMap(\.events).compactMap(\.reply) ?? []
        }
        #expect(try await told("asks") == ["Yes, gladly"])
        #expect(try await told("plain").isEmpty)
        #expect(try await store.report(MessageID(test: "asks"), at: noon)?.replies == 1)
        #expect(try await store.report(MessageID(test: "plain"), at: noon)?.replies == nil)
        _ = try await store.erase(UserReference("u1", of: chime.number), at: noon)
        #expect(try await told("asks").isEmpty)
        #expect(try await store.report(MessageID(test: "asks"), at: noon)?.replies == 0)
    }
}
