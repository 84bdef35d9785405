import CarillonCore
import Foundation
import GRDB
import Testing

@testable import CarillonServer

@Suite("Pushes of a chunk that are claimed, or answered, together", .serialized)
struct StoreRangeGroupTests {
    private func store(_ engine: StoreEngine, devices: Int) async throws -> Store {
        let store = try await engine.make(ranges: RangeRules(devices: 3, chunkDevices: 64))
        for number in 0..<devices {
            let user = number % 2 == 0 ? "u\(number)" : nil
            try await store.enrol(device(Self.name(number), user: user, tags: ["t"]), at: noon)
        }
        return store
    }

    private static func name(_ number: Int) -> String { number < 10 ? "d0\(number)" : "d\(number)" }

    private func claim(_ store: Store, limit: Int = 100) async throws -> [ClaimedDelivery] {
        try await store.claim(everything(limit: limit), at: noon).deliveries
    }

    /// Counts the statements with certain words that SQLite runs during `body`.
    private func statements(
        _ store: Store, with words: String = "", _ body: () async throws -> Void
    ) async throws -> Int {
        let log = SharedValue(0)
        try await store.write(at: noon) { transaction in
            let db = try #require(transaction.connection as? SQLiteSession).db
            db.trace(options: .statement) { event in
                if words.isEmpty || "\(event)".contains(words) { log.withLock { $0 += 1 } }
            }
        }
        try await body()
        try await store.write(at: noon) { transaction in
            try #require(transaction.connection as? SQLiteSession).db.trace(options: [])
        }
        return log.withLock { $0 }
    }

    @Test("with removals take as many statements for many devices as for one")
    func removalStatements() async throws {
        let store = try await store(.sqlite, devices: 40)
        _ = try await store.accept(try message("m", to: .everyone, counts: false), at: noon)
        try await store.settle(try await claim(store).map { $0.settled() }, at: noon)
        _ = try await store.recall(MessageID(test: "m"), at: noon)
        var (claims, answers): ([Int], [Int]) = ([], [])
        for limit in [2, 30] {
            var pushes: [ClaimedDelivery] = []
            claims.append(try await statements(store) { pushes = try await claim(store, limit: limit) })
            #expect(pushes.count == limit && pushes.allSatisfy { $0.purpose == .removal })
            answers.append(
                try await statements(store) { try await store.settle(pushes.map { $0.settled() }, at: noon) })
        }
        #expect(claims[0] == claims[1] && answers[0] == answers[1], "\(claims) \(answers)")
    }

    @Test("take as many statements for many devices as for one")
    func statements() async throws {
        let store = try await store(.sqlite, devices: 40)
        _ = try await store.accept(try message("m", to: .everyone, counts: false), at: noon)
        // It plans the chunk.
        try await store.settle(try await claim(store, limit: 1).map { $0.settled() }, at: noon)
        var (claims, answers): ([Int], [Int]) = ([], [])
        for limit in [2, 30] {
            var pushes: [ClaimedDelivery] = []
            claims.append(try await statements(store) { pushes = try await claim(store, limit: limit) })
            #expect(pushes.count == limit)
            answers.append(
                try await statements(store) { try await store.settle(pushes.map { $0.settled() }, at: noon) })
        }
        #expect(claims[0] == claims[1] && answers[0] == answers[1], "\(claims) and \(answers)")
    }

    @Test("are read once where devices lie apart: when they are planned and handed over in one claim")
    func readOnce() async throws {
        let store = try await store(.sqlite, devices: 40)
        let audience = Audience.matching(.test(.tag(TextPattern(text: "t", isPrefix: false))))
        _ = try await store.accept(try message("m", to: audience, counts: false), at: noon)
        var (reads, claimed): ([Int], [String]) = ([], [])
        for limit in [12, 100] {
            reads.append(
                try await statements(store, with: "devices.silent_unanswered") {
                    claimed += try await claim(store, limit: limit).map(\.device)
                })
        }
        // The second claim reads the rest.
        #expect(reads == [1, 1] && claimed == (0..<40).map(Self.name))
    }

    @Test("one device that cannot be read holds up its chunk, and not the message", arguments: StoreEngine.allCases)
    func unreadable(_ engine: StoreEngine) async throws {
        let store = try await engine.make(ranges: RangeRules(devices: 3, chunkDevices: 8))
        for number in 0..<16 { try await store.enrol(device(Self.name(number), tags: ["t"]), at: noon) }
        try await store.write(at: noon) {
            try $0.execute("UPDATE devices SET environment = 'x' WHERE id = 'd01'")
        }
        let audience = Audience.matching(.test(.tag(TextPattern(text: "t", isPrefix: false))))
        _ = try await store.accept(try message("m", to: audience, counts: false), at: noon)
        #expect(try await claim(store).map(\.device) == (8..<16).map(Self.name))
    }

    @Test("are few where a single message goes with them, and none is forgotten", arguments: StoreEngine.allCases)
    func besideSingle(_ engine: StoreEngine) async throws {
        let store = try await engine.make(ranges: RangeRules(devices: 3, chunkDevices: 64))
        let few = StoreLimits.pushesWithSingleMessage
        try await store.enrol((0..<few + 10).map { device("d\($0)") }, at: noon)
        _ = try await store.accept(try message("m", to: .everyone, counts: false), at: noon)
        _ = try await store.accept(try message("one", to: .devices(["d1"]), counts: false), at: noon)
        let first = try await claim(store)
        #expect(first.count == few + 1 && first[0].lane == .single)
        #expect(try await claim(store).count == 10)
    }

    @Test("are those whom the message is for, be they neighbours or not", arguments: StoreEngine.allCases)
    func scattered(_ engine: StoreEngine) async throws {
        let store = try await engine.make(ranges: RangeRules(devices: 3, chunkDevices: 64))
        for number in 0..<40 {
            let isNear = (20..<26).contains(number) && number != 22
            let tags = [number.isMultiple(of: 7) ? "far" : nil, isNear ? "near" : nil].compactMap(\.self)
            try await store.enrol(device(Self.name(number), tags: tags), at: noon)
        }
        for (tag, expected) in [("far", [0, 7, 14, 21, 28, 35]), ("near", [20, 21, 23, 24, 25])] {
            let audience = Audience.matching(try AudienceParser.parse("tag:\(tag)"))
            _ = try await store.accept(try message(tag, to: audience, counts: false), at: noon)
            let pushes = try await claim(store)
            #expect(pushes.map(\.device) == expected.map(Self.name))
            try await store.settle(pushes.map { $0.settled() }, at: noon)
        }
    }

    @Test(
        "are told in their order, and events of plain acceptances made only when asked for",
        arguments: StoreEngine.allCases)
    func told(_ engine: StoreEngine) async throws {
        let store = try await store(engine, devices: 5)
        _ = try await store.accept(try message("m", to: .everyone, counts: false), at: noon)
        let pushes = try await claim(store).sorted { $0.device < $1.device }
        var settlements = pushes.map { $0.settled() }
        settlements[2] = pushes[2].settled(rejected("PayloadTooLarge", 413))
        let told = try #require(try await store.settle(settlements, SendingRules(), at: noon).first)
        #expect(told.acceptedCount == 4 && told.events.map(\.device) == ["d02", "d02"])
        #expect(told.timeline.map(\.device) == ["d00", "d01", "d02", "d03", "d04"].flatMap { [$0, $0] })
        let kinds: [TimelineEventKind] = [.sent, .accepted]
        #expect(told.timeline.map(\.event) == kinds + kinds + [.sent, .rejected] + kinds + kinds)
        #expect(told.timeline.allSatisfy { $0.apnsID != nil })
    }

    @Test(
        "carry what each device is to remove, and its user's number, however they are read",
        arguments: StoreEngine.allCases,
        [Audience.everyone, .matching(.test(.tag(TextPattern(text: "t", isPrefix: false))))])
    func contents(_ engine: StoreEngine, _ audience: Audience) async throws {
        let store = try await store(engine, devices: 5)
        _ = try await store.accept(try message("old", to: .devices(["d01", "d03"]), counts: false), at: noon)
        try await store.settle(try await claim(store).map { $0.settled() }, at: noon)
        _ = try await store.recall(MessageID(test: "old"), at: noon)
        _ = try await store.record([receipt(.recalled, "old")], from: "d03", at: noon)
        _ = try await store.accept(try message("counted", to: .users(["u2"])), at: noon)
        _ = try await store.accept(try message("m", to: audience, counts: false), at: noon)
        let pushes = try await claim(store).filter { $0.message?.id.rawValue == "m" }.sorted { $0.device < $1.device }
        #expect(pushes.map { $0.removals.map(\.message.rawValue) } == [[], ["old"], [], [], []])
        #expect(pushes.map(\.unread) == [0, nil, 1, nil, 0])
    }

    @Test("are told and noted each as it is", arguments: StoreEngine.allCases)
    func answers(_ engine: StoreEngine) async throws {
        let store = try await store(engine, devices: 6)
        _ = try await store.accept(try message("m", to: .everyone, counts: false), at: noon)
        let pushes = try await claim(store).sorted { $0.device < $1.device }
        var settlements = pushes.map { $0.settled() }
        settlements[0] = pushes[0].settled(badge: .unread(3))
        settlements[1] = pushes[1].settled(rejected("PayloadTooLarge", 413))
        settlements[2] = pushes[2].settled(badge: .sender)
        // What another sender says, which has the chunk no more.
        settlements[4] = settlements[4].changed { $0.lease.epoch += 1 }
        let database = store
        try await database.write(at: noon) { try $0.execute("UPDATE devices SET badge = 7") }
        let events = try await store.settle(settlements, at: noon)
        let told = events.map(\.device).filter { $0 != "d04" }
        #expect(told == ["d00", "d01", "d02", "d03", "d05"].flatMap { [$0, $0] })
        let counts = try #require(try await store.report(MessageID(test: "m"), at: noon)).counts
        #expect(counts.accepted == 4 && counts.rejected == 1 && counts.queued == 1)
        let badges = try await database.read { transaction in
            try transaction.rows("SELECT badge FROM devices ORDER BY id").map { $0["badge"] as Int? }
        }
        #expect(badges == [3, 7, nil, 7, 7, 7])
        // What is said twice is said once.
        try await store.settle([settlements[3]], at: noon)
        #expect(try await store.kinds("m", on: "d03") == [.queued, .sent, .accepted])
    }

    @Test(
        "a token that was registered anew meanwhile is confirmed by what was sent later",
        arguments: StoreEngine.allCases)
    func confirms(_ engine: StoreEngine) async throws {
        let store = try await store(engine, devices: 4)
        _ = try await store.accept(try message("m", to: .everyone, counts: false), at: noon)
        let pushes = try await claim(store).sorted { $0.device < $1.device }
        try await store.write(at: noon) { transaction in
            let registered = noon.millisecondsSince1970
            try transaction.execute(
                "UPDATE devices SET confirmed = NULL, token_registered = ? WHERE id = 'd01'", [registered])
            try transaction.execute(
                "UPDATE devices SET confirmed = NULL, token_registered = ? WHERE id = 'd02'", [registered + 1])
        }
        try await store.settle([pushes[0], pushes[3]].map { $0.settled() }, at: noon)
        #expect(try await store.device("d01")?.confirmed == nil, "nothing was said of it")
        try await store.settle(pushes[1...2].map { $0.settled() }, at: noon)
        #expect(try await store.device("d01")?.confirmed == noon)
        #expect(try await store.device("d02")?.confirmed == nil)
    }
}
