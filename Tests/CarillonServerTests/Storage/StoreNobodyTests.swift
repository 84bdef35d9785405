import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("A message for no device says why, for as long as it is kept", .serialized)
struct StoreNobodyTests {
    private let id = MessageID(test: "m")
    private var reference: MessageReference { MessageReference(id, of: chime.number) }

    private func reasons(_ store: Store, at now: Timestamp = noon) async throws -> [NobodyReason?] {
        [
            try #require(try await store.report(reference, at: now)).reason,
            try #require(try await store.timeline(reference, after: nil, limit: 10, at: now)).reason,
        ]
    }

    /// An audience that has no device for this reason.
    private static func audience(_ reason: NobodyReason) throws -> Audience {
        switch reason {
        case .notSignedIn: .users(["nobody"])
        case .noSuchDevice: .devices(["other"])
        case .tokenGone: .users(["gone"])
        case .nobodyMatches: .matching(try AudienceParser.parse("tag:x"))
        }
    }

    @Test(
        "in the report and the timeline, and in the answer to a repeated request",
        arguments: StoreEngine.allCases, NobodyReason.allCases)
    func told(_ engine: StoreEngine, _ reason: NobodyReason) async throws {
        let store = try await engine.make()
        try await store.enrol([device("a", user: "u"), device("b", user: "gone")], at: noon)
        _ = try await store.accept(try message("first", to: .users(["gone"]), counts: false), at: noon)
        let lost = try await store.claim(everything(), at: noon).deliveries
        let answer = rejected("Unregistered", 410, since: noon + .seconds(1))
        try await store.settle(lost.map { $0.settled(answer) }, at: noon)
        let new = try message("m", to: try Self.audience(reason), key: "key")
        let told = SendAnswer(id: id, state: .accepted, devices: 0, reason: reason)
        #expect(try await store.accept(new, at: noon) == .accepted(told))
        #expect(try await reasons(store) == [reason, reason])
        // Whoever comes later was not there when it was sent.
        try await store.enrol([device("c", user: "nobody"), device("d", user: "gone", tags: ["x"])], at: noon)
        #expect(try await store.accept(new, at: noon) == .repeated(told))
        var withoutKey = new
        withoutKey.idempotencyKey = nil
        #expect(try await store.accept(withoutKey, at: noon) == .repeated(told))
        #expect(try await reasons(store) == [reason, reason])
        _ = try await store.accept(try message("m", to: .users(["u"]), text: "New", replaces: true), at: noon)
        #expect(try await reasons(store) == [nil, nil], "the new revision is for somebody")
    }

    @Test("also when it is found out at send_at only", arguments: StoreEngine.allCases)
    func scheduled(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        try await store.enrol([device("a", user: "u")], at: noon)
        let sendAt = noon + .seconds(60)
        var new = try message("m", to: .users(["u"]))
        new.sendAt = sendAt
        _ = try await store.accept(new, at: noon)
        _ = try await store.signOut("a", by: .service, at: noon)
        #expect(try await reasons(store) == [nil, nil], "it may still find somebody")
        #expect(try await store.claim(everything(), at: sendAt).deliveries.isEmpty)
        #expect(try await reasons(store, at: sendAt) == [.notSignedIn, .notSignedIn])
    }

    @Test("of very many devices once all are examined", arguments: StoreEngine.allCases)
    func ranged(_ engine: StoreEngine) async throws {
        let store = try await engine.make(ranges: RangeRules(devices: 1, chunkDevices: 4))
        try await store.enrol([device("a"), device("b"), device("c", tags: ["y"])], at: noon)
        _ = try await store.accept(
            try message("m", to: .matching(try AudienceParser.parse("tag:x")), counts: false), at: noon)
        #expect(try await reasons(store) == [nil, nil], "nobody is examined yet")
        while try await store.claim(everything(), at: noon).examined > 0 {}
        #expect(try await reasons(store) == [.nobodyMatches, .nobodyMatches])
        let other = Audience.matching(try AudienceParser.parse("tag:y"))
        _ = try await store.accept(try message("m", to: other, text: "B", counts: false, replaces: true), at: noon)
        while try await store.claim(everything(), at: noon).examined > 0 {}
        #expect(try await reasons(store) == [nil, nil])
    }
}
