import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("Tags have the places of their devices", .serialized)
struct StoreTagPlaceTests {
    private static let rules = RangeRules(devices: 0, chunkDevices: 4)

    /// Tags whose place is not that of their device.
    private static let astray =
        """
        SELECT count(*) FROM device_tags LEFT JOIN devices ON devices.id = device_tags.device
        WHERE devices.id IS NULL OR devices.ordinal IS DISTINCT FROM device_tags.ordinal
        """

    private static func places(_ store: Store) async throws -> String {
        try await store.read { transaction in
            try transaction.rows("SELECT tag, device, ordinal FROM device_tags ORDER BY tag, device").map { row in
                try
                    "\(row["tag"] as String) \(row["device"] as String) \((row["ordinal"] as Int64?).map { "\($0)" } ?? "-")"
            }.joined(separator: ", ")
        }
    }

    @Test("which follow every change of the device", arguments: StoreEngine.allCases)
    func follow(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        _ = try await store.register(device("new", tags: ["a"]), at: noon)
        #expect(try await Self.places(store) == "a new -")
        try await store.enrol(device("old", tags: ["b"]), at: noon)
        #expect(try await Self.places(store) == "a new 1, b old 2")
        _ = try await store.change("old", DeviceUpdate(facts: ["tags": ["c"]], nonce: "n"), at: noon)
        // Another installation takes its token over, and its place.
        let token = Data("old".utf8).hexadecimal
        _ = try await store.register(device("other", token: token, tags: ["d"]), at: noon)
        _ = try await store.claimToken(for: "other", nonce: "nonce", at: noon)
        #expect(try await Self.places(store) == "a new 1, c old -, d other 2")
        let imported = ImportedDevice(
            app: chime, environment: .sandbox, token: testToken("1a7e"),
            facts: DeviceFacts(permission: .authorized, tags: ["e"]), id: "imported")
        #expect(try await store.importDevices([imported], at: noon) == [.added])
        try await store.enrol(device("owner", token: "1a7e"), at: noon)
        #expect(try await Self.places(store) == "a new 1, c old -, d other 2, e owner 3")
        _ = try await store.delete("new", at: noon)
        #expect(try await Self.places(store) == "c old -, d other 2, e owner 3")
        #expect(try await store.read { try $0.integer(Self.astray) } == 0)
    }

    @Test("by which a broadcast skips stretches without anybody", arguments: StoreEngine.allCases)
    func skips(_ engine: StoreEngine) async throws {
        let store = try await engine.make(ranges: Self.rules)
        try await store.enrol(
            (0..<60).map { device("d\($0)", tags: $0 == 1 || $0 == 58 ? ["rare"] : ["often"]) }, at: noon)
        for condition in ["tag:rare", "(tag:rare or tag:none) and environment:sandbox", "tag:r*"] {
            let id = "m\(condition.utf8.count)"
            let audience = Audience.matching(try AudienceParser.parse(condition))
            _ = try await store.accept(try message(id, to: audience, counts: false), at: noon)
            let claim = try await store.claim(everything(), at: noon)
            // A claim plans a few chunks at most.
            let found = Set(claim.deliveries.map(\.device))
            #expect(condition == "tag:r*" || found == ["d1", "d58"], "\(condition): \(found)")
            var rest = claim
            while rest.examined > 0 {
                rest = try await store.claim(everything(), at: noon)
                #expect(condition == "tag:r*" || rest.deliveries.isEmpty)
            }
            let report = try #require(try await store.report(MessageID(test: id), at: noon))
            #expect(report.counts.devices == 2 && report.progress?.decided == 60 && report.progress?.total == 60)
        }
    }

    @Test("and a condition means the same among some ordinals as among all", arguments: StoreEngine.allCases)
    func stretches(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        let tags = [["vip"], ["vip", "a b"], ["vi"], [], ["ünï", "and"], ["x\"y"], ["vip"]]
        for (number, tags) in tags.enumerated() {
            var new = device("d\(number)", tags: tags)
            new.facts.locale = number.isMultiple(of: 2) ? "de_AT" : nil
            new.facts.appVersion = "2.\(number)"
            try await store.enrol(new, at: noon - .seconds(number * 86_400))
        }
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<300 {
            let expression = AudienceParserTests.expression(depth: 3, using: &generator)
            let counts = try await store.read(at: noon) { transaction in
                let all = try AudienceQuery(transaction).condition(.matching(expression), of: chime.number, at: noon)
                let some = try AudienceQuery(transaction).condition(
                    .matching(expression), of: chime.number, at: noon, within: 2...5)
                return [
                    try transaction.integer(
                        "SELECT count(*) FROM devices WHERE ordinal >= 2 AND ordinal <= 5 AND \(all.sql)", all.arguments
                    ),
                    try transaction.integer("SELECT count(*) FROM devices WHERE \(some.sql)", some.arguments),
                ]
            }
            #expect(counts[0] == counts[1], "\(expression)")
        }
    }

    @Test("so that planning a stretch asks those who have the tag, by their ordinals")
    func indexes() async throws {
        let store = Store(try SQLiteEngine(path: TemporaryFolder().url.appending(path: "carillon.sqlite").path))
        for text in [
            "tag:vip", "tag:vip and not locale:de*", "tag:vip and seen<9d", "tag:vip or tag:a",
            "locale:de* and seen<9d", "tag:v* and version>2",
        ] {
            let audience = Audience.matching(try AudienceParser.parse(text))
            let plan = try await store.read(at: noon) { transaction in
                let (sql, arguments) = try AudienceQuery(transaction).condition(
                    audience, of: chime.number, at: noon, within: 1...4096)
                return try transaction.rows(
                    "EXPLAIN QUERY PLAN SELECT ordinal, locale FROM devices WHERE \(sql)", arguments
                ).map { try $0["detail"] as String }
            }
            let isByTag = text.hasPrefix("tag:vip")
            let expected = "devices_by_ordinal (app=? AND ordinal\(isByTag ? "=?" : ">? AND ordinal<?"))"
            #expect(plan.contains { $0.hasSuffix(expected) }, "\(text): \(plan)")
            #expect(
                plan.contains { $0.contains("device_tags_by_place (app=? AND tag=? AND ordinal>? AND ordinal<?)") }
                    == isByTag)
        }
    }
}
