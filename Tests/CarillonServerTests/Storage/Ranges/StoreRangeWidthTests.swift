import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("How wide the chunks of a message are", .serialized)
struct StoreRangeWidthTests {
    private static let rules = RangeRules(devices: 3, chunkDevices: 4, sampledDevices: 8)

    /// Makes a store whose app has 80 devices. Every sixteenth has a tag, and half are in production.
    private func store(_ engine: StoreEngine) async throws -> Store {
        let store = try await engine.make(ranges: Self.rules)
        let devices = (0..<80).map { number in
            device(
                "d\(number)", environment: number.isMultiple(of: 2) ? .production : .sandbox,
                tags: number % 16 == 3 ? ["rare", "all"] : ["all"])
        }
        for device in devices { try await store.enrol(device, at: noon) }
        return store
    }

    private func chunks(_ store: Store, _ id: String, _ audience: Audience) async throws -> [Int64] {
        _ = try await store.accept(try message(id, to: audience, counts: false), at: noon)
        var claimed: Set<String> = []
        while true {
            let claim = try await store.claim(everything(), at: noon)
            claimed.formUnion(claim.deliveries.map(\.device))
            if claim.examined == 0 { break }
        }
        let report = try #require(try await store.report(MessageID(test: id), at: noon))
        #expect(report.counts.devices == claimed.count && report.counts.queued == claimed.count)
        return try await store.read {
            try $0.rows(
                """
                SELECT DISTINCT first FROM chunks WHERE message = (SELECT number FROM messages WHERE id = ?) ORDER BY first
                """, [id]
            ).map { try $0["first"] }
        }
    }

    private func condition(_ text: String) throws -> Audience { .matching(try AudienceParser.parse(text)) }

    @Test("follows from how many it is for, of those who are asked beforehand", arguments: StoreEngine.allCases)
    func widths(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        let usual = stride(from: Int64(1), to: 80, by: 4).map(\.self)
        #expect(try await chunks(store, "everyone", .everyone) == usual)
        #expect(try await chunks(store, "all", try condition("tag:all")) == usual)
        #expect(try await chunks(store, "rare", try condition("tag:rare")) == [1, 65])
        #expect(try await chunks(store, "nobody", try condition("tag:nobody")) == [])
        // Each device of the stretch is asked: not so many in one go.
        #expect(try await chunks(store, "asked", try condition("tag:rar*")) == [1, 17, 33, 49, 65])
    }

    @Test(
        "does not matter to another's removals, which go with a push from a wider one", arguments: StoreEngine.allCases)
    func beside(_ engine: StoreEngine) async throws {
        let store = try await engine.make(ranges: RangeRules(devices: 3, chunkDevices: 64, sampledDevices: 64))
        try await store.enrol((0..<300).map { device("d\($0)", tags: $0 % 50 == 9 ? ["rare"] : []) }, at: noon)
        #expect(try await chunks(store, "all", .everyone).count == 5)
        let sent = try await store.release(try await store.sender("w"), ifStillAt: nil, limit: 1000, at: noon)
        #expect(sent.count == 300)
        _ = try await store.recall(MessageID(test: "all"), at: noon)
        _ = try await store.accept(try message("m", to: try condition("tag:rare"), counts: false), at: noon)
        let pushes = try await store.claim(everything(limit: 1000), at: noon).deliveries.filter { $0.purpose == .show }
        // Chunks that are due at once are claimed in any order.
        #expect(pushes.map(\.device).sorted() == stride(from: 9, to: 300, by: 50).map { "d\($0)" }.sorted())
        #expect(pushes.allSatisfy { $0.removals.map(\.message.rawValue) == ["all"] })
    }

    @Test("stays what it was for a newer revision", arguments: StoreEngine.allCases)
    func revisions(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        _ = try await chunks(store, "m", try condition("tag:rare"))
        let claim = try await store.claim(everything(), at: noon)
        #expect(claim.deliveries.isEmpty)
        _ = try await store.release(try await store.sender("w"), ifStillAt: nil, limit: 100, at: noon)
        var second = try message("m", to: .everyone, text: "Two", counts: false, replaces: true)
        second.fingerprint = Data("Two".utf8)
        _ = try await store.accept(second, at: noon)
        var devices: [String] = []
        while true {
            let claim = try await store.claim(everything(worker: "other"), at: noon)
            devices += claim.deliveries.filter { $0.purpose == .show }.map(\.device)
            if claim.examined == 0 { break }
        }
        #expect(devices.count == 80 && Set(devices).count == 80)
    }

    @Test(
        "is the wider the fewer it is for",
        arguments: [(4096, 1), (2049, 1), (2048, 2), (1024, 4), (256, 16), (255, 16), (1, 16), (0, 16)])
    func rule(_ meant: Int, _ times: Int) {
        #expect(RangeRules().chunkDevices(meant: meant, atMost: 16) == 4096 * times)
        #expect(RangeRules().chunkDevices(meant: meant, atMost: 4) == 4096 * min(4, times))
    }

    @Test(
        "is as wide as no more than one claim takes of those who lie apart, or as for everyone",
        arguments: [
            (4096, 1), (251, 1), (250, 2), (82, 4), (62, 8), (31, 16), (0, 16),
        ])
    func scattered(_ meant: Int, _ times: Int) {
        #expect(RangeRules().chunkDevices(meant: meant, atMost: 16, expecting: 500) == 4096 * times)
    }

    @Test("is never more than a place can say")
    func widest() {
        #expect(DeliveryLimits.chunkDevices * StoreLimits.widestTaggedChunk <= 1 << 16)
        #expect(RangeChunk(addressed: DeviceSet(0..<1 << 16)).encodedMarks.count < 1 << 16)
    }
}
