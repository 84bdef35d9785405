import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("An answer of APNs about a token that its device has no more", .serialized)
struct StoreFormerTokenTests {
    /// A way in which a device gets another token, and an answer that comes afterwards about the former one.
    struct Late: Sendable, CustomTestStringConvertible {
        let engine: StoreEngine
        let isRanged: Bool
        let update: DeviceUpdate
        let answer: SendOutcome

        var testDescription: String {
            "\(engine.rawValue), \(isRanged ? "bits" : "rows"), \(update.token == nil ? "environment" : "token"), \(answer)"
        }
    }

    private static let later = noon + .seconds(10)
    private static let updates = [
        DeviceUpdate(token: testToken("bb"), facts: [:], nonce: "n"),
        DeviceUpdate(environment: .production, facts: [:], nonce: "n"),
    ]
    private static let answers = [
        rejected("BadDeviceToken", 400), rejected("Unregistered", 410, since: later + .seconds(1)),
    ]
    private static let lates = StoreEngine.allCases.flatMap { engine in
        [false, true].flatMap { isRanged in
            updates.flatMap { update in
                answers.map { Late(engine: engine, isRanged: isRanged, update: update, answer: $0) }
            }
        }
    }

    private func token(_ claim: ClaimedDelivery) -> String { "\(claim.token.hex) \(claim.app.environment.rawValue)" }

    @Test("leaves the device as it is, and the message goes to the new token", arguments: lates)
    func confirmed(_ late: Late) async throws {
        let rules = late.isRanged ? RangeRules(devices: 1, chunkDevices: 4) : RangeRules()
        let store = try await late.engine.make(ranges: rules)
        try await store.enrol([device("d", user: "u", token: "aa"), device("e")], at: noon)
        _ = try await store.accept(try message("m", to: .everyone), at: noon)
        let sent = try await store.claim(everything(), at: noon).deliveries.filter { $0.device == "d" }
        #expect(sent.map(token) == ["aa sandbox"])
        _ = try await store.change("d", late.update, at: Self.later)
        let check = try await store.claim(everything(), at: Self.later + .seconds(1)).deliveries
        #expect(check.map(\.purpose) == [.tokenCheck])
        try await store.settle(
            check.map { $0.settled(at: Self.later + .seconds(1)) }, at: Self.later + .seconds(1))
        let end = Self.later + .seconds(2)
        try await store.settle(sent.map { $0.settled(late.answer, at: end) }, at: end)
        let known = try #require(try await store.device("d"))
        #expect(known.state == .active && known.confirmed != nil && known.user == "u")
        let again = try await store.claim(everything(), at: end + .seconds(3600)).deliveries
        #expect(again.filter { $0.device == "d" }.map(\.purpose) == [.show])
        #expect(again.filter { $0.device == "d" }.map(token) == [check.map(token)[0]])
        let kinds = try await store.kinds("m", on: "d", at: end)
        #expect(kinds.suffix(2) == [.sent, .rejected])
    }

    @Test("does not delete a device whose new token is not tried yet", arguments: StoreEngine.allCases, answers)
    func unconfirmed(_ engine: StoreEngine, _ answer: SendOutcome) async throws {
        let store = try await engine.make()
        _ = try await store.register(device("d", user: "u", token: "aa"), at: noon)
        let check = try await store.claim(everything(), at: noon + .seconds(1)).deliveries
        #expect(check.map(token) == ["aa sandbox"])
        _ = try await store.change("d", Self.updates[0], at: Self.later)
        let end = Self.later + .seconds(2)
        try await store.settle(check.map { $0.settled(answer, at: end) }, at: end)
        let known = try #require(try await store.device("d"))
        #expect(known.state == .active && known.user == "u" && known.token == testToken("bb"))
        let next = try await store.claim(everything(), at: end + .seconds(3600)).deliveries
        #expect(Set(next.map(token)) == ["bb sandbox"])
        try await store.settle(next.map { $0.settled(answer, at: end) }, at: end + .seconds(3600))
        #expect(try await store.device("d")?.state != .active, "an answer about its present token counts")
    }

    @Test("confirms no other token, even one that was registered in that moment", arguments: StoreEngine.allCases)
    func accepted(_ engine: StoreEngine) async throws {
        for rules in [RangeRules(), RangeRules(devices: 1, chunkDevices: 4)] {
            let store = try await engine.make(ranges: rules)
            try await store.enrol([device("d", token: "aa"), device("e")], at: noon)
            _ = try await store.accept(try message("m", to: .everyone), at: noon)
            let sent = try await store.claim(everything(), at: noon).deliveries
            _ = try await store.change("d", Self.updates[0], at: noon)
            try await store.settle(sent.map { $0.settled(at: noon) }, at: noon)
            #expect(try await store.device("d")?.confirmed == nil)
            #expect(try await store.claim(everything(), at: noon + .seconds(1)).deliveries.map(token) == ["bb sandbox"])
        }
    }
}
