import CarillonCore
import Foundation
import GRDB
import Testing

@testable import CarillonServer

@Suite("A copy from one engine to the other", .serialized)
struct DatabaseCopyTests {
    private let folder: TemporaryFolder
    private var path: String { folder.url.appending(path: "carillon.sqlite").path }
    private var second: String { folder.url.appending(path: "second.sqlite").path }

    init() throws { folder = try TemporaryFolder() }

    @discardableResult
    private func copy(_ from: DatabasePlace, _ to: DatabasePlace, _ steps: SharedValue<[CopyProgress]>? = nil)
        async throws -> [TableSum]
    {
        try await from.copy(to: to) { step in steps?.withLock { $0.append(step) } }
    }

    /// Copies, and returns the error; the copy must fail.
    private func failure(_ from: DatabasePlace, _ to: DatabasePlace) async -> String {
        do {
            try await copy(from, to)
            return "it has ended"
        } catch {
            return "\(error)"
        }
    }

    // MARK: All tables

    /// Three rows in each table, with every kind of value that its columns may have.
    private func fillEveryTable(_ store: Store) async throws {
        try await store.sqlite.pool.write { db in
            for table in try CopiedTable.all(in: SQLiteSession(db)) {
                let columns = try Row.fetchAll(db, sql: "SELECT * FROM pragma_table_info('\(table.name)')")
                for number in 1...3 {
                    let values: [DatabaseValue] = columns.map { column in
                        switch column["type"] as String {
                        case "INTEGER": (number * 1_000_000_007).databaseValue
                        case "TEXT": "\(number) ü🎐'\"\\\n\t".databaseValue
                        default: Data([0, UInt8(number), 255]).databaseValue
                        }
                    }
                    let places = columns.map { _ in "?" }.joined(separator: ", ")
                    try db.execute(
                        sql: "INSERT OR REPLACE INTO \(table.name) VALUES (\(places))",
                        arguments: StatementArguments(values))
                }
            }
        }
    }

    private static func rows(_ transaction: StoreSession, _ tables: [String]) throws -> [String: Set<
        [String: SQLValue]
    >] {
        try tables.reduce(into: [:]) { all, table in
            all[table] = Set(
                try transaction.rows("SELECT * FROM \(table)").map { row in
                    Dictionary(uniqueKeysWithValues: zip(row.columns, row.values))
                })
        }
    }

    @Test("has every row of every table that either engine has, and the other way round the same")
    func everyTable() async throws {
        let source = Store(try SQLiteEngine(path: path))
        try await fillEveryTable(source)
        let tables = try await source.sqlite.pool.read { db in try CopiedTable.all(in: SQLiteSession(db)) }
        #expect(tables.allSatisfy { !$0.key.isEmpty })
        let address = try await StoreEngine.emptySchema()
        let sums = try await copy(.sqlite(path: path), .postgreSQL(url: address))

        let target = try await StoreEngine.postgreSQL(at: address)
        let names = try await target.read { transaction in
            try transaction.rows(
                """
                SELECT CAST(table_name AS TEXT) AS name FROM information_schema.tables
                WHERE table_schema = current_schema() AND table_name <> 'carillon_schema' ORDER BY name
                """
            ).map { try $0["name"] as String }
        }
        #expect(tables.map(\.name) == names && sums.map(\.table) == names)
        let wanted = try await source.read { try Self.rows($0, names) }
        #expect(wanted.values.allSatisfy { $0.count >= 3 })
        #expect(try await target.read { try Self.rows($0, names) } == wanted)

        let back = try await copy(.postgreSQL(url: address), .sqlite(path: second))
        #expect(back == sums)
        let again = Store(try SQLiteEngine(path: second))
        #expect(try await again.read { try Self.rows($0, names) } == wanted)
        let triggers = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY name"
        let made = try await again.read { try $0.rows(triggers).map(\.values) }
        #expect(try await source.read { try $0.rows(triggers).map(\.values) } == made && !made.isEmpty)
    }

    // MARK: In the middle of everything

    @Test("goes on with leases, inboxes, keys and broadcasts that were under way")
    func goesOn() async throws {
        let rules = RangeRules(devices: 3, chunkDevices: 4)
        let source = Store(try SQLiteEngine(path: path), ranges: rules)
        for app in [chime, ferry] { _ = try await source.put(AppSettings(topic: app.topic), at: noon) }
        try await source.enrol((0..<10).map { device("d\($0)", user: "u\($0)") }, at: noon)
        try await source.add(
            APIKeyRecord(id: "key", name: "k", secretHash: Data([1]), scopes: [.send], apps: [chime], created: noon))
        _ = try await source.accept(try message("one", to: .users(["u1"]), key: "once"), at: noon)
        _ = try await source.accept(try message("all", to: .everyone), at: noon)
        let claimed = try await source.claim(everything(limit: 3), at: noon).deliveries
        #expect(claimed.count == 3)
        // Given once, and to nobody any more.
        _ = try await source.accept(try message("gone", to: .users(["u2"])), at: noon - .seconds(100))
        _ = try await source.recall(MessageReference(MessageID(test: "gone"), of: chime.number), at: noon)
        let address = try await StoreEngine.emptySchema()
        try await copy(.sqlite(path: path), .postgreSQL(url: address))
        try source.close()

        let store = try await StoreEngine.postgreSQL(at: address, ranges: rules)
        #expect(try await store.apiKey("key")?.secretHash == Data([1]))
        let events = try await store.settle(claimed.map { $0.settled() }, at: noon)
        #expect(events.filter { $0.event == .accepted }.count == 3)
        var pushes: [ClaimedDelivery] = []
        while true {
            let claim = try await store.claim(everything(limit: 4), at: noon)
            pushes += claim.deliveries
            if claim.examined == 0 { break }
        }
        let shown = (claimed + pushes).filter { $0.purpose == .show }
        #expect(shown.filter { $0.message?.id.rawValue == "all" }.map(\.device).sorted() == (0..<10).map { "d\($0)" })
        #expect(shown.filter { $0.message?.id.rawValue == "one" }.map(\.device) == ["d1"])
        let inbox = try await store.inbox(
            user: UserReference("u1", of: chime.number), before: nil, limit: 10, at: noon)
        #expect(inbox.map(\.id.rawValue).sorted() == ["all", "one"])
        guard case .repeated = try await store.accept(try message("two", to: .users(["u1"]), key: "once"), at: noon)
        else { return #expect(Bool(false), "an idempotency key was forgotten") }
        // What fires for each row is on again, and numbers go on where they were.
        try await store.enrol(device("new", user: "u1"), at: noon)
        let newest = try await store.read { try $0.row("SELECT bound, ordinal FROM devices WHERE id = 'new'") }
        #expect(newest?["ordinal"] == 11)
        #expect(newest?["bound"] as Int? ?? 0 > 0)
        let joined = try await store.join("somebody")
        #expect(joined.number.rawValue > claimed[0].lease.sender.rawValue)
    }

    // MARK: Interrupted

    @Test("names a text that PostgreSQL cannot keep, is served by nobody, and goes on when that is mended")
    func resumed() async throws {
        let source = Store(try SQLiteEngine(path: path))
        for app in [chime, ferry] { _ = try await source.put(AppSettings(topic: app.topic), at: noon) }
        for number in 0..<30 { try await source.enrol(device("d\(number)", user: "u\(number)"), at: noon) }
        try await source.sqlite.pool.write { db in
            try db.execute(
                sql: "INSERT INTO message_variables VALUES (1, 'u', 7, 'before' || char(0) || 'after')")
        }
        let (here, address) = (DatabasePlace.sqlite(path: path), try await StoreEngine.emptySchema())
        let problem = await failure(here, .postgreSQL(url: address))
        #expect(problem.contains("U+0000") && problem.contains("message_variables"), "\(problem)")
        #expect(problem.contains("1, 'u', 7"), "\(problem)")
        await #expect(throws: ServiceError.self) { _ = try await StoreEngine.postgreSQL(at: address) }

        // The source is mended, and something else in it has changed.
        try await source.sqlite.pool.write { db in
            try db.execute(sql: "UPDATE message_variables SET \"values\" = '{}'")
            try db.execute(sql: "UPDATE devices SET locale = 'de' WHERE id = 'd3'")
            try db.execute(sql: "DELETE FROM devices WHERE id = 'd4'")
        }
        let steps = SharedValue<[CopyProgress]>([])
        try await copy(here, .postgreSQL(url: address), steps)
        let first = steps.withLock { steps in steps.first { $0.table == "devices" } }
        #expect(first?.rows == 30, "what was there is not copied again at first")
        let store = try await StoreEngine.postgreSQL(at: address)
        #expect(try await store.device("d3")?.facts.locale == "de")
        #expect(try await store.device("d4") == nil)
        #expect(try await store.device("d29") != nil)
    }

    @Test("an unfinished copy in a folder is served by nobody either")
    func unfinishedFile() async throws {
        let store = Store(try SQLiteEngine(path: path))
        try await store.sqlite.pool.write {
            try $0.execute(sql: "CREATE TABLE \(CopiedTable.unfinished) (number INTEGER)")
        }
        try store.close()
        let error = #expect(throws: ServiceError.self) { try SQLiteEngine(path: path) }
        #expect(error?.description.contains("unfinished") == true)
    }

    // MARK: Refused

    @Test("is refused where the target has something, where a sender runs, and within one engine")
    func refusals() async throws {
        let source = Store(try SQLiteEngine(path: path))
        _ = try await source.put(AppSettings(topic: topic), at: noon)
        let (here, address) = (DatabasePlace.sqlite(path: path), try await StoreEngine.emptySchema())
        let target = try await StoreEngine.postgreSQL(at: address)
        _ = try await target.put(AppSettings(topic: topic), at: noon)
        #expect(await failure(here, .postgreSQL(url: address)).contains("its table apps has rows"))
        #expect(await failure(here, .sqlite(path: second)).contains("own backups"))
        #expect(await failure(.sqlite(path: second), .postgreSQL(url: address)).contains("there is no database"))
        #expect(await failure(here, .postgreSQL(url: "mysql://x")).contains("expected postgres://"))

        let sender = try await source.join("a sender")
        let empty = try await StoreEngine.emptySchema()
        #expect(await failure(here, .postgreSQL(url: empty)).contains("stop it first"))
        _ = sender
    }

    @Test("of an empty database is an empty database")
    func empty() async throws {
        _ = try SQLiteEngine(path: path)
        let address = try await StoreEngine.emptySchema()
        let sums = try await copy(.sqlite(path: path), .postgreSQL(url: address))
        #expect(sums.allSatisfy { $0.rows == 0 })
        let store = try await StoreEngine.postgreSQL(at: address)
        #expect(try await store.put(AppSettings(topic: topic), at: noon).reference.number == chime.number)
    }
}

@Suite("A backup of SQLite", .serialized)
struct SQLiteBackupTests {
    @Test("is whole while others write, is made once, and leaves nothing behind when it fails")
    func whileWriting() async throws {
        let folder = try TemporaryFolder().url
        let (path, file) = (folder.appending(path: "a.sqlite").path, folder.appending(path: "b.sqlite").path)
        let store = Store(try SQLiteEngine(path: path))
        _ = try await store.put(AppSettings(topic: topic), at: noon)
        for number in 0..<50 { _ = try await store.register(device("d\(number)"), at: noon) }
        let steps = SharedValue(0)
        try SQLiteBackup.make(of: path, to: file, pages: 5) { _, _ in
            // In the middle of the copying: it is neither held up nor in the copy.
            if steps.withLock({
                $0 += 1
                return $0
            }) == 1 {
                try? store.sqlite.pool.write { try $0.execute(sql: "UPDATE devices SET locale = 'de'") }
            }
        }
        #expect(steps.withLock { $0 } > 2)
        #expect(!FileManager.default.fileExists(atPath: "\(file).unfinished"))
        let permissions = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(permissions == 0o600)
        let copy = Store(try SQLiteEngine(path: file))
        let counted = try await copy.read { transaction in
            (
                try transaction.integer("SELECT count(*) FROM devices"),
                try transaction.integer("SELECT count(*) FROM devices WHERE locale IS NULL")
            )
        }
        #expect(counted == (50, 50))
        #expect(throws: ServiceError.self) { try SQLiteBackup.make(of: path, to: file) }
        #expect(throws: ServiceError.self) { try SQLiteBackup.make(of: folder.path + "/none", to: file + "2") }
        #expect(throws: ServiceError.self) { try SQLiteBackup.make(of: path, to: "/nowhere/at/all") }
        #expect(!FileManager.default.fileExists(atPath: file + "2"))
    }
}

@Suite("What a check finds out", .serialized)
struct StoreInspectionTests {
    @Test("a sound database has no problem, and its tables are counted", arguments: StoreEngine.allCases)
    func sound(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        try await store.enrol(device("d", user: "u"), at: noon)
        _ = try await store.accept(try message("m", to: .users(["u"])), at: noon)
        let inspection = try await store.inspection()
        // A server for tests keeps nothing safe.
        #expect(inspection.problems.filter { !$0.hasPrefix("fsync is off") } == [])
        #expect(inspection.rows.first { $0.table == "devices" }?.count == 1)
        #expect(inspection.facts.contains { $0.name == "tables" && $0.value == "version \(Schema.current.version)" })
    }

    @Test("counts that are not what the rows say are problems", arguments: StoreEngine.allCases)
    func wrongCounts(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        try await store.enrol(device("d", user: "u"), at: noon)
        _ = try await store.accept(try message("m", to: .users(["u"])), at: noon)
        try await store.write(at: noon) { transaction in
            try transaction.execute("UPDATE unread SET count = 7")
            try transaction.execute("UPDATE apps SET next_ordinal = 1")
        }
        let problems = try await store.inspection().problems
        #expect(problems.contains { $0.contains("unread messages of 1 users") })
        #expect(problems.contains { $0.contains("1 apps would give a device a place") })
    }
}
