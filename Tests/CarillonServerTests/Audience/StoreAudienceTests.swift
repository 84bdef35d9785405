import CarillonCore
import Foundation
import GRDB
import Testing

@testable import CarillonServer

@Suite("A store finds whom an audience means", .serialized)
struct StoreAudienceTests {
    private static let facts: [DeviceFacts] = [
        DeviceFacts(
            permission: .authorized, locale: "de_AT", timeZone: "Europe/Vienna", appVersion: "2.10",
            tags: ["vip", "a b"]),
        DeviceFacts(permission: .denied, locale: "de", timeZone: "Europe/Berlin", appVersion: "2.9", tags: ["and"]),
        DeviceFacts(
            permission: .provisional, locale: "pt-br", timeZone: "America/Sao_Paulo", appVersion: "3.0.1", tags: ["ünï"]
        ),
        DeviceFacts(permission: .authorized, appVersion: "beta", tags: ["x\"y", "vip", "vi"]),
        DeviceFacts(permission: .notDetermined),
    ]

    /// Devices with every combination of facts that the list has, seen on different days.
    private func enrolled(_ store: Store) async throws -> [String: AudienceCandidate] {
        var candidates: [String: AudienceCandidate] = [:]
        for (number, facts) in Self.facts.enumerated() {
            for environment in APNsEnvironment.allCases {
                let seen = noon - .seconds(number * 100 * 86_400)
                var new = device("d-\(number)-\(environment.rawValue)", user: "u\(number)", environment: environment)
                new.facts = facts
                _ = try await store.enrol([new], at: seen)
                candidates[new.id] = AudienceCandidate(facts: facts, environment: environment.rawValue, seen: seen)
            }
        }
        return candidates
    }

    @Test("exactly those on whom the condition holds, whatever the condition", arguments: StoreEngine.allCases)
    func agrees(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        let candidates = try await enrolled(store)
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<400 {
            let expression = AudienceParserTests.expression(depth: 3, using: &generator)
            let expected = candidates.values.count { expression.includes($0, at: noon) }
            let counted = try await store.count(.matching(expression), of: chime, at: noon)
            #expect(counted == expected, "\(expression)")
        }
    }

    @Test("a message goes to them, and to nobody of another app", arguments: StoreEngine.allCases)
    func message(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        _ = try await enrolled(store)
        _ = try await store.enrol([device("other", app: ferry, tags: ["vip"])], at: noon)
        let audience = Audience.matching(try AudienceParser.parse("tag:vip and not version>2"))
        let accepted = try await store.accept(try CarillonServerTests.message("m", to: audience), at: noon)
        guard case .accepted(let answer) = accepted else {
            Issue.record("not accepted: \(accepted)")
            return
        }
        #expect(answer.devices == 2)
        let claim = try await store.claim(everything(), at: noon)
        #expect(Set(claim.deliveries.map(\.device)) == ["d-3-sandbox", "d-3-production"])
    }

    @Test("tags follow every change of the device, and go with it", arguments: StoreEngine.allCases)
    func tags(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        _ = try await store.enrol([device("phone", tags: ["a", "b"])], at: noon)
        func count(_ text: String) async throws -> Int {
            try await store.count(.matching(try AudienceParser.parse(text)), of: chime, at: noon)
        }
        #expect(try await count("tag:a") == 1)
        _ = try await store.change("phone", DeviceUpdate(facts: ["tags": ["c"]], nonce: "n"), at: noon)
        #expect(try await count("tag:a or tag:b") == 0)
        #expect(try await count("tag:c") == 1)
        _ = try await store.delete("phone", at: noon)
        #expect(try await count("tag:c") == 0)
    }

    @Test("the same audience in another spelling is the same; another one must be said")
    func fingerprint() throws {
        func fingerprint(_ text: String) throws -> Data {
            Audience.matching(try AudienceParser.parse(text)).fingerprint
        }
        #expect(try fingerprint("tag:a AND (locale:de_AT)") == fingerprint(" tag:a and locale:de-at "))
        #expect(try fingerprint("tag:a") != fingerprint("tag:b"))
    }

    @Test("a tag, a locale, a version, a time zone and an age are looked up, without walking every device")
    func indexes() async throws {
        let store = Store(try SQLiteEngine(path: TemporaryFolder().url.appending(path: "carillon.sqlite").path))
        for text in [
            "tag:vip", "tag:vi*", "tag:vip and seen<1d or tag:a", "locale:l7", "version>198", "time_zone:z7", "seen<1d",
        ] {
            let audience = Audience.matching(try AudienceParser.parse(text))
            let plan = try await store.read(at: noon) { transaction in
                let (sql, arguments) = try AudienceQuery(transaction).condition(audience, of: chime.number, at: noon)
                return try transaction.rows(
                    "EXPLAIN QUERY PLAN SELECT count(*) FROM devices WHERE state = 'active' AND \(sql)", arguments
                ).map { try $0["detail"] as String }
            }
            #expect(!plan.contains { $0.hasPrefix("SCAN devices") }, "\(text): \(plan)")
            let index = ["tag": "sqlite_autoindex_devices_1", "seen": "devices_by_seen"][text.prefix { $0.isLetter }]
            #expect(plan.contains { $0.contains(index ?? "devices_by_") }, "\(text): \(plan)")
        }
    }
}
