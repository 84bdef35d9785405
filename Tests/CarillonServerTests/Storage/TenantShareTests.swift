import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

/// Backends and phones choose how large their calls are, and all others wait for the database meanwhile.
@Suite("The work of one call does not grow with what its caller chooses", .serialized)
struct TenantShareTests {
    private static let rules = RangeRules(devices: 10, chunkDevices: 64, sampledDevices: 64)

    private func counted(_ engine: StoreEngine, _ rules: RangeRules = rules) async throws -> (Store, CountingEngine) {
        let inner = try await engine.make(ranges: rules)
        let counting = CountingEngine(inner.transactions.engine)
        return (Store(counting, ranges: rules), counting)
    }

    /// Imports confirmed devices `d0`, `d1` and so on, each with a locale of its own.
    private func fill(_ store: Store, _ count: Int, of app: AppReference = chime, tag: String? = nil) async throws {
        for start in stride(from: 0, to: count, by: StoreLimits.importedPerStep) {
            let devices = (start..<min(count, start + StoreLimits.importedPerStep)).map { number in
                ImportedDevice(
                    app: app, environment: .sandbox, token: testToken(Data("\(app.topic) \(number)".utf8).hexadecimal),
                    facts: DeviceFacts(
                        permission: .authorized, locale: "de-n\(number)", timeZone: "Zone/\(number % 7)",
                        appVersion: "1.\(number)", tags: tag.map { [$0] } ?? []),
                    id: "\(app == chime ? "" : "other-")d\(number)")
            }
            _ = try await store.importDevices(devices, at: noon)
        }
    }

    @discardableResult
    private func claimAll(_ store: Store, at now: Timestamp = noon) async throws -> [ClaimedDelivery] {
        var found: [ClaimedDelivery] = []
        while true {
            let claim = try await store.claim(everything(limit: 500), at: now)
            try await store.settle(claim.deliveries.map { $0.settled(at: now) }, at: now)
            found += claim.deliveries
            if claim.examined == 0 { return found }
        }
    }

    private static func condition(_ tests: Int) -> String {
        Array(repeating: "locale:de-N*", count: tests).joined(separator: " or ")
    }

    // MARK: Conditions

    @Test(
        "a condition of 90 tests costs a transaction no statement more than one of one test",
        arguments: StoreEngine.allCases)
    func tests(_ engine: StoreEngine) async throws {
        var most: [Int] = []
        for tests in [1, 90] {
            let (store, counting) = try await counted(engine)
            try await fill(store, 200)
            _ = counting.taken()
            let audience = Audience.matching(try AudienceParser.parse(Self.condition(tests)))
            _ = try await store.accept(try message("m", to: audience, counts: false), at: noon)
            let pushes = try await claimAll(store)
            #expect(Set(pushes.map(\.device)).count == pushes.count)
            most.append(counting.taken().written.max() ?? 0)
        }
        #expect(most[1] <= most[0] + 20, "\(most)")
    }

    @Test(
        "with 2,000 locales, a transaction that plans a broadcast reads its stretch and not all of them",
        arguments: StoreEngine.allCases,
        ["locale:de-N19*", "locale:de-N1* and version>1 or locale:de-N2* and version<0"])
    func values(_ engine: StoreEngine, _ condition: String) async throws {
        let (store, counting) = try await counted(engine)
        try await fill(store, 2000)
        _ = counting.taken()
        let audience = Audience.matching(try AudienceParser.parse(condition))
        _ = try await store.accept(try message("m", to: audience, counts: false), at: noon)
        let pushes = try await claimAll(store)
        let expected = condition.contains("version") ? 1111 : 111
        #expect(pushes.count == expected && Set(pushes.map(\.device)).count == expected)
        // A look at whether the values are few, and the devices of a stretch.
        let rows = counting.taken().writtenRows.max() ?? 0
        #expect(rows <= 3500, "\(rows)")
    }

    @Test("one app counts one audience at a time, and others count meanwhile", arguments: StoreEngine.allCases)
    func counts(_ engine: StoreEngine) async throws {
        let (store, counting) = try await counted(engine)
        try await fill(store, 20)
        _ = counting.taken()
        let audience = Audience.matching(try AudienceParser.parse("locale:de*"))
        let counts = try await withThrowingTaskGroup(of: Int.self) { tasks in
            for _ in 0..<5 { tasks.addTask { try await store.count(audience, of: chime, at: noon) } }
            return try await tasks.reduce(into: []) { $0.append($1) }
        }
        #expect(counts == [20, 20, 20, 20, 20])
        #expect(counting.taken().readers == 1)
    }

    // MARK: Timelines and recalls

    @Test(
        "a page of a timeline and the answer to a recall cost as many statements in an app with ten times the devices",
        arguments: StoreEngine.allCases)
    func pages(_ engine: StoreEngine) async throws {
        var statements: [[Int]] = []
        for devices in [60, 600] {
            let (store, counting) = try await counted(engine)
            try await fill(store, devices)
            try await fill(store, devices, of: ferry)
            let audience = Audience.matching(try AudienceParser.parse("locale:de-n3 or locale:de-n41"))
            _ = try await store.accept(try message("m", to: audience, counts: false), at: noon)
            #expect(try await claimAll(store).map(\.device) == ["d3", "d41"])
            _ = counting.taken()
            let timeline = try await store.timeline(MessageID(test: "m"), after: nil, limit: 100, at: noon)
            #expect(timeline?.devices.map(\.device) == ["d3", "d41"] && timeline?.next == nil)
            let answer = try await store.recallAnswer(MessageID(test: "m"), limit: 100)
            #expect(answer?.devices.map(\.device) == ["d3", "d41"])
            statements.append(counting.taken().read)
        }
        #expect(statements[0] == statements[1], "\(statements)")
    }

    // MARK: Reading

    /// A store with users `reader` and `other`, of whom the first has so many devices.
    private func readers(_ engine: StoreEngine, devices: Int) async throws -> (Store, CountingEngine) {
        let (store, counting) = try await counted(engine, RangeRules())
        try await store.enrol(
            (0..<devices).map { device("r\($0)", user: "reader") } + [device("o", user: "other")], at: noon)
        return (store, counting)
    }

    @Test(
        "what a phone may name as read is looked up with as many statements, however many phones its user has",
        arguments: StoreEngine.allCases)
    func lookups(_ engine: StoreEngine) async throws {
        var statements: [Int] = []
        for devices in [2, 40] {
            let (store, counting) = try await readers(engine, devices: devices)
            let ids = (0..<20).map { "m\($0)" }
            for id in ids {
                _ = try await store.accept(try message(id, to: .users(["other"]), counts: false), at: noon)
            }
            _ = counting.taken()
            let named = ids.map { MessageRevision(MessageID(test: $0)) }
            let outcome = try await store.markRead(.revisions(named), user: "reader", on: "r0", at: noon)
            #expect(outcome.marked == 0)
            statements.append(counting.taken().written.max() ?? 0)
        }
        #expect(statements[0] == statements[1], "\(statements)")
    }

    @Test(
        "a transaction that marks many messages as read looks at each phone's badge once",
        arguments: StoreEngine.allCases)
    func badges(_ engine: StoreEngine) async throws {
        let devices = 30
        let (store, counting) = try await readers(engine, devices: devices)
        try await store.write(at: noon) { try $0.execute("UPDATE devices SET badge = 77 WHERE user = ?", ["reader"]) }
        // Nothing of them is on a phone: they came before all phones but one, which is not reachable now.
        for number in 0..<20 {
            _ = try await store.accept(try message("m\(number)", to: .users(["reader"])), at: noon)
        }
        try await store.write(at: noon) { try $0.execute("DELETE FROM deliveries WHERE message IS NOT NULL") }
        _ = counting.taken()
        let outcome = try await store.markRead(.upTo(noon), user: "reader", on: nil, at: noon)
        #expect(outcome.marked == 20 && outcome.unread == 0)
        let statements = counting.taken().written.max() ?? 0
        #expect(statements <= 20 * 10 + devices * 10, "\(statements)")
        let pushes = try await store.claim(everything(limit: 500), at: noon).deliveries
        #expect(pushes.map(\.purpose) == Array(repeating: .badge, count: devices))
    }

    @Test(
        "every device that a chunk has is on one page of a timeline, and those with rows come after",
        arguments: StoreEngine.allCases)
    func allPages(_ engine: StoreEngine) async throws {
        let (store, _) = try await counted(engine)
        try await fill(store, 200)
        _ = try await store.accept(try message("m", to: .everyone, counts: false), at: noon)
        try await claimAll(store)
        // A receipt that bits cannot express, and devices that are gone.
        for id in ["d7", "d150"] {
            _ = try await store.record([receipt(.acted, "m", id: "r-\(id)")], from: id, at: noon)
        }
        for id in ["d3", "d199"] { _ = try await store.delete(id, at: noon) }
        let expected = Set((0..<200).map { "d\($0)" }).subtracting(["d3", "d199"])
        for limit in [1, 33, 64, 197, 198, 500] {
            var (found, mark): ([String], String?) = ([], nil)
            repeat {
                let page = try #require(
                    try await store.timeline(MessageID(test: "m"), after: mark, limit: limit, at: noon))
                #expect((!page.devices.isEmpty || page.next == nil) && page.devices.count <= limit)
                found += page.devices.map(\.device)
                mark = page.next
            } while mark != nil
            #expect(found.count == expected.count && Set(found) == expected, "\(limit): \(found.count)")
        }
    }

    // MARK: Conditions that Swift decides

    @Test("whom a condition means is the same whether the database or Swift decides", arguments: StoreEngine.allCases)
    func decided(_ engine: StoreEngine) async throws {
        let usual = try await engine.make(ranges: RangeRules(chunkDevices: 64))
        try await fill(usual, 150, tag: "vip")
        try await usual.enrol(
            (0..<30).map { number in
                var new = device("e\(number)", tags: number.isMultiple(of: 3) ? ["a b", "ünï"] : ["x\"y"])
                new.facts.locale = ["de_AT", "pt-br", nil][number % 3]
                new.facts.appVersion = ["2.10", "beta"][number % 2]
                return new
            }, at: noon)
        let rules = RangeRules(chunkDevices: 64, comparedValues: 0)
        let deciding = Store(usual.transactions.engine, ranges: rules)
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<60 {
            let expression = AudienceParserTests.expression(depth: 3, using: &generator)
            let audience = Audience.matching(expression)
            let expected = try await usual.count(audience, of: chime, at: noon)
            #expect(try await deciding.count(audience, of: chime, at: noon) == expected, "\(expression)")
            let locales = try await usual.locales(audience, of: chime, at: noon)
            #expect(try await deciding.locales(audience, of: chime, at: noon) == locales, "\(expression)")
            let (some, all) = try await deciding.read(at: noon) { session in
                let query = AudienceQuery(session)
                let within = try query.condition(audience, of: chime.number, at: noon, within: 20...170)
                let ids = try session.rows("SELECT id FROM devices WHERE \(within.sql)", within.arguments)
                let named = try ids.map { try $0["id"] as String }
                return (named.count, try query.members(of: audience, among: named, chime.number, at: noon).count)
            }
            let among = try await usual.read(at: noon) { session in
                let within = try AudienceQuery(session).condition(
                    audience, of: chime.number, at: noon, within: 20...170)
                return try session.integer("SELECT count(*) FROM devices WHERE \(within.sql)", within.arguments)
            }
            #expect(some == among && all == among, "\(expression)")
        }
    }

    @Test(
        "a broadcast by a condition that Swift decides goes to each device once, in rows and in chunks",
        arguments: StoreEngine.allCases, [10, 1000])
    func sent(_ engine: StoreEngine, _ devicesWithRows: Int) async throws {
        let rules = RangeRules(devices: devicesWithRows, chunkDevices: 64, sampledDevices: 64, comparedValues: 0)
        let (store, _) = try await counted(engine, rules)
        try await fill(store, 300)
        let audience = Audience.matching(try AudienceParser.parse("locale:de-N1* and not version<1.150"))
        let accepted = try await store.accept(try message("m", to: audience, counts: false), at: noon)
        guard case .accepted(let answer) = accepted else {
            Issue.record("not accepted")
            return
        }
        #expect(answer.devices == (devicesWithRows == 10 ? nil : 50))
        #expect(try await claimAll(store).map(\.device).sorted() == (150..<200).map { "d\($0)" })
        // A revision for fewer: the others lose it.
        let fewer = Audience.matching(try AudienceParser.parse("locale:de-N19*"))
        let revision = try message("m", to: fewer, text: "Two", counts: false, replaces: true)
        _ = try await store.accept(revision, at: noon)
        let pushes = try await claimAll(store)
        let shown = pushes.filter { $0.purpose == .show }.map(\.device).sorted()
        #expect(shown == ["d19"] + (190..<200).map { "d\($0)" })
        #expect(pushes.filter { $0.purpose == .removal }.map(\.device).sorted() == (150..<190).map { "d\($0)" })
    }
}
