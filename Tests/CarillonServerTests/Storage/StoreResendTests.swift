import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("A message is sent again to those who did not see it", .serialized, .timeLimit(.minutes(3)))
struct StoreResendTests {
    private func resend(
        _ id: String, as copy: String? = nil, key: String? = nil, on store: Store, at now: Timestamp = noon
    ) async throws -> ResendOutcome {
        try await store.messages.resend(
            MessageID(test: id), of: chime, as: MessageID(test: copy ?? "\(id).2"),
            key.map { IdempotencyKey(owner: "backend", key: $0) }, at: now)
    }

    /// Claims and settles all pushes, and returns the devices to which the message was sent.
    private func delivered(_ id: String, on store: Store) async throws -> [String] {
        var devices: [String] = []
        while true {
            let pushes = try await store.deliverAll()
            guard !pushes.isEmpty else { return devices.sorted() }
            devices += pushes.filter { $0.message?.id.rawValue == id && $0.purpose == .show }.map(\.device)
        }
    }

    @Test(
        "once, however often it is asked for, with the message's texts and campaign",
        arguments: StoreEngine.allCases, [false, true])
    func story(_ engine: StoreEngine, _ isRanged: Bool) async throws {
        let store = try await engine.make(ranges: RangeRules(devices: isRanged ? 1 : 1000, chunkDevices: 4))
        try await store.enrol((0..<9).map { device("d\($0)") }, at: noon)
        var new = try message("m", to: .everyone, text: "Once", counts: false)
        new.campaign = "spring"
        _ = try await store.accept(new, at: noon)
        var pushes: [ClaimedDelivery] = []
        while pushes.count < 9 { pushes += try await store.claim(everything(), at: noon).deliveries }
        try await store.settle(
            pushes.map { $0.settled($0.device == "d0" ? rejected("PayloadTooLarge", 413) : .accepted(apnsID: noID)) },
            at: noon)
        for (device, event) in [("d1", ReceiptEvent.shown), ("d2", .opened), ("d3", .received), ("d4", .dismissed)] {
            _ = try await store.record([receipt(event, "m")], from: device, at: noon)
        }
        // Gets a row in the midst of the bits.
        var acted = receipt(.acted, "m")
        acted.detail = "answer"
        _ = try await store.record([acted], from: "d5", at: noon)
        guard case .answered(.accepted(let answer)) = try await resend("m", on: store) else {
            Issue.record("it was not accepted")
            return
        }
        #expect(answer.id.rawValue == "m.2" && answer.devices == (isRanged ? nil : 4))
        #expect(try await delivered("m.2", on: store) == ["d3", "d6", "d7", "d8"])
        let report = try #require(try await store.report(MessageID(test: "m.2"), at: noon))
        #expect(report.campaign == "spring" && report.counts.accepted == 4)
        _ = try await store.record([receipt(.shown, "m.2")], from: "d6", at: noon)
        guard case .answered(.repeated) = try await resend("m", on: store) else {
            Issue.record("it was sent twice")
            return
        }
        #expect(try await delivered("m.2", on: store) == [])
        guard case .answered(.accepted) = try await resend("m", as: "once-more", on: store) else {
            Issue.record("another copy was not accepted")
            return
        }
        #expect(
            try await delivered("once-more", on: store) == ["d3", "d6", "d7", "d8"], "they did not see the message")
    }

    @Test("not to another user of the device, and with each recipient's values", arguments: StoreEngine.allCases)
    func users(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        try await store.enrol([device("a", user: "u"), device("b", user: "u"), device("c", user: "v")], at: noon)
        var new = try message("m", to: .users(["u", "v"]), text: "Hello, {{name}}")
        new.texts = MessageTexts(localized: [:], haveVariables: true)
        new.variables = [ExactText("u"): ["name": "Ada"], ExactText("v"): ["name": "Bob"]]
        _ = try await store.accept(new, at: noon)
        _ = try await delivered("m", on: store)
        _ = try await store.register(device("b", user: "w"), at: noon)
        let unread = try await store.inbox(user: "u", before: nil, limit: 10, at: noon).count
        guard case .answered(.accepted(let answer)) = try await resend("m", on: store) else {
            Issue.record("it was not accepted")
            return
        }
        #expect(answer.devices == 2)
        let pushes = try await store.claim(everything(), at: noon).deliveries.filter {
            $0.message?.id.rawValue == "m.2"
        }
        let texts = pushes.map { "\($0.device) \($0.message?.payload.aps.alert?.body ?? "")" }.sorted()
        #expect(texts == ["a Hello, Ada", "c Hello, Bob"])
        #expect(try await store.inbox(user: "u", before: nil, limit: 10, at: noon).count == unread, "in no inbox")
    }

    @Test(
        "and refused for a message that is over, that all have seen, or that does not exist",
        arguments: StoreEngine.allCases)
    func refused(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        try await store.enrol([device("a")], at: noon)
        let until = noon + .seconds(60)
        _ = try await store.accept(try message("m", to: .devices(["a"]), until: until, counts: false), at: noon)
        #expect(try await resend("m", on: store) == .seenByAll, "nothing has been sent yet")
        _ = try await delivered("m", on: store)
        #expect(try await resend("none", on: store) == .unknown)
        #expect(try await resend("m", on: store, at: until) == .ended(.expired))
        guard case .answered(.accepted) = try await resend("m", key: "k", on: store) else {
            Issue.record("it was not accepted")
            return
        }
        guard case .answered(.repeated) = try await resend("m", key: "k", on: store, at: until) else {
            Issue.record("a repeated call is answered as before, also when the message is over")
            return
        }
        _ = try await store.record([receipt(.shown, "m")], from: "a", at: noon)
        #expect(try await resend("m", as: "other", on: store) == .seenByAll)
        _ = try await store.recall(MessageID(test: "m"), at: noon)
        #expect(try await resend("m", as: "other", on: store) == .ended(.recalled))
    }
}
