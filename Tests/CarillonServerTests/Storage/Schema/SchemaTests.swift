import CarillonCore
import Foundation
import GRDB
import TestSupport
import Testing

@testable import CarillonServer

@Suite("The tables of the engines")
struct SchemaTests {
    /// The columns of each table, with their types in SQLite's words, and whether they may be NULL.
    private static func columns(of store: Store) async throws -> [String: Set<String>] {
        try await store.read { transaction in
            let sql =
                switch transaction.dialect.engine {
                case .sqlite:
                    """
                    SELECT tables.name AS "table", columns.name, columns.type,
                        columns."notnull" OR columns.pk > 0 AS mandatory
                    FROM sqlite_master AS tables JOIN pragma_table_info(tables.name) AS columns
                    WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite%'
                    """
                case .postgreSQL:
                    """
                    SELECT CAST(table_name AS TEXT) AS "table", CAST(column_name AS TEXT) AS name,
                        CASE CAST(data_type AS TEXT) WHEN 'bigint' THEN 'INTEGER' WHEN 'bytea' THEN 'BLOB'
                            ELSE 'TEXT' END AS type,
                        CASE CAST(is_nullable AS TEXT) WHEN 'NO' THEN 1 ELSE 0 END AS mandatory
                    FROM information_schema.columns WHERE table_schema = current_schema()
                    """
                }
            return try Dictionary(grouping: try transaction.rows(sql)) { try $0["table"] as String }.mapValues { rows in
                try Set(rows.map { try "\($0["name"] as String) \($0["type"] as String) \($0["mandatory"] as Int)" })
            }
        }
    }

    private static func indexes(of store: Store) async throws -> Set<String> {
        try await store.read { transaction in
            let sql =
                switch transaction.dialect.engine {
                case .sqlite: "SELECT name FROM sqlite_master WHERE type = 'index' AND name NOT LIKE 'sqlite%'"
                case .postgreSQL:
                    """
                    SELECT CAST(indexname AS TEXT) AS name FROM pg_indexes WHERE schemaname = current_schema()
                        AND indexname NOT LIKE '%_pkey' AND indexname NOT LIKE '%_key'
                    """
                }
            return Set(try transaction.rows(sql).map { try $0["name"] as String })
        }
    }

    @Test("have the same columns of the same types, and the same indexes")
    func alike() async throws {
        let (first, second) = (try await SchemaAddress.make(.sqlite), try await SchemaAddress.make(.postgresql))
        let (sqlite, postgreSQL) = (try await first.open(), try await second.open())
        let columns = try await Self.columns(of: sqlite)
        #expect(columns.count > 15)
        #expect(try await Self.columns(of: postgreSQL) == columns)
        let indexes = try await Self.indexes(of: sqlite)
        #expect(indexes.count > 30)
        #expect(try await Self.indexes(of: postgreSQL) == indexes)
    }

    @Test("compare every text byte by byte")
    func collation() async throws {
        let store = try await StoreEngine.postgresql.makeEmpty()
        let others = try await store.read { transaction in
            try transaction.rows(
                """
                SELECT CAST(table_name || '.' || column_name AS TEXT) AS name FROM information_schema.columns
                WHERE table_schema = current_schema() AND data_type = 'text' AND collation_name IS DISTINCT FROM 'C'
                """
            ).map { try $0["name"] as String }
        }
        #expect(others == [])
    }

    // MARK: Versions

    /// The version of this program's tables.
    private static let last = Schema.current.version
    /// The tables with a made-up column and a made-up table.
    private static let next = Schema(
        upgrades: Schema.current.upgrades + [
            .init(
                to: last + 1, "ALTER TABLE apps ADD COLUMN motto TEXT; UPDATE apps SET motto = 'ring' WHERE number > 0;"
            ),
            .init(to: last + 2) { engine in
                engine == .sqlite
                    ? "CREATE TABLE mottos (number INTEGER PRIMARY KEY AUTOINCREMENT, motto TEXT NOT NULL) STRICT;"
                    : PostgreSQLText.tables(
                        "CREATE TABLE mottos (number INTEGER PRIMARY KEY, motto TEXT NOT NULL) STRICT;")
            },
        ])

    @Test("the steps of this program are numbered one after the other")
    func numbers() {
        let upgrades = Schema.current.upgrades
        #expect(upgrades.map(\.version) == upgrades.indices.map { $0 + 2 })
        #expect(Schema.current.version == upgrades.count + 1)
    }

    @Test(
        "a database of an older version gets the steps that it lacks, and has the tables of a new one",
        arguments: StoreEngine.allCases)
    func upgraded(engine: StoreEngine) async throws {
        let old = try await SchemaAddress.make(engine)
        _ = try await old.open().put(AppSettings(topic: topic), at: noon)
        let upgraded = try await old.open(Self.next)
        let mottos = try await upgraded.read { try $0.rows("SELECT motto FROM apps").map { $0.text("motto") } }
        #expect(mottos == ["ring"])
        #expect(
            try await upgraded.inspection().facts.contains {
                $0.name == "tables" && $0.value == "version \(Self.last + 2)"
            })
        let made = try await SchemaAddress.make(engine).open(Self.next)
        #expect(try await Self.columns(of: upgraded) == Self.columns(of: made))
        // Once: a second start finds nothing to do.
        _ = try await old.open(Self.next).put(AppSettings(topic: "com.example.ferry"), at: noon)
    }

    @Test("an upgrade that fails leaves the tables as the one before it made them", arguments: StoreEngine.allCases)
    func failing(engine: StoreEngine) async throws {
        let address = try await SchemaAddress.make(engine)
        _ = try await address.open()
        let store = try await address.open(Self.next)
        let before = try await Self.columns(of: store)
        let broken = Schema(
            upgrades: Self.next.upgrades + [
                .init(to: Self.last + 3, "ALTER TABLE nowhere ADD COLUMN motto TEXT;")
            ])
        await #expect(throws: (any Error).self) { try await address.open(broken) }
        #expect(try await Self.columns(of: store) == before)
        _ = try await store.put(AppSettings(topic: topic), at: noon)
    }

    /// Tables with a new column that is filled row by row, and then by another statement.
    private static func filled(then last: String) -> Schema {
        let first = """
            UPDATE apps SET motto = 'ring'
            WHERE number IN (SELECT number FROM apps WHERE motto IS NULL ORDER BY number LIMIT 1)
            """
        let upgrade = SchemaUpgrade(
            to: Self.last + 1, "ALTER TABLE apps ADD COLUMN motto TEXT;", fillings: [first, last])
        return Schema(upgrades: Schema.current.upgrades + [upgrade])
    }

    private static func mottos(_ store: Store) async throws -> [String?] {
        try await store.read { try $0.rows("SELECT motto FROM apps ORDER BY number").map { $0.text("motto") } }
    }

    @Test(
        "an upgrade that was interrupted keeps what it has filled, lets nobody write, and ends at the next start",
        arguments: StoreEngine.allCases)
    func interrupted(engine: StoreEngine) async throws {
        let address = try await SchemaAddress.make(engine)
        let old = try await address.open()
        for app in [chime, ferry] { _ = try await old.put(AppSettings(topic: app.topic), at: noon) }
        let told = SharedValue<[String]>([])
        @Sendable func tell(_ sentence: String) { told.withLock { $0.append(sentence) } }
        await #expect(throws: (any Error).self) {
            try await address.open(Self.filled(then: "UPDATE nowhere SET motto = 'ring'"), telling: tell)
        }
        #expect(try await Self.mottos(old) == ["ring", "ring"])
        #expect(told.withLock { $0.contains { $0.hasPrefix("upgrading the tables to version \(Self.last + 1)") } })
        #expect(told.withLock { !$0.contains("the tables have version \(Self.last + 1) now") })
        let refusal = await #expect(throws: ServiceError.self) {
            _ = try await old.put(AppSettings(topic: topic), at: noon)
        }
        #expect(refusal?.description.contains("being upgraded to version \(Self.last + 1)") == true)
        let older = await #expect(throws: ServiceError.self) { _ = try await address.open() }
        #expect(older?.description.contains("start the newer version of Carillon again") == true)
        let whole = Self.filled(then: "UPDATE apps SET motto = 'chime' WHERE motto = 'ring' AND number = 1")
        let store = try await address.open(whole, telling: tell)
        #expect(try await Self.mottos(store) == ["chime", "ring"])
        #expect(told.withLock { $0.last } == "the tables have version \(Self.last + 1) now")
        _ = try await store.put(AppSettings(topic: topic), at: noon)
    }

    @Test("before an upgrade, SQLite's database is copied to a file that the older program can use")
    func copied() async throws {
        let address = try await SchemaAddress.make(.sqlite)
        _ = try await address.open().put(AppSettings(topic: topic), at: noon)
        let upgraded = try await address.open(Self.next)
        _ = try await upgraded.put(AppSettings(topic: "com.example.ferry"), at: noon)
        guard case .file(let folder) = address else { return }
        let path = folder.url.appending(path: "carillon.sqlite").path
        let copy = Store(try SQLiteEngine(path: SQLiteFile.copy(of: path, at: Self.last)))
        #expect(try await copy.apps.all().map(\.topic) == [topic])
        _ = try await copy.put(AppSettings(topic: "com.example.ferry"), at: noon)
    }

    @Test("the copy has whatever older programs have written before the upgrade")
    func copiedLast() async throws {
        let address = try await SchemaAddress.make(.sqlite)
        guard case .file(let folder) = address else { return }
        let path = folder.url.appending(path: "carillon.sqlite").path
        try await address.open().close()
        // An older program that writes whenever it can.
        var configuration = Configuration()
        configuration.busyMode = .immediateError
        let older = try DatabaseQueue(path: path, configuration: configuration)
        let written = SharedValue(0)
        let upgraded = try await address.open(Self.next) { _ in
            try? older.write { db in
                let number = written.withLock(\.self)
                try db.execute(sql: "INSERT INTO apps (topic, created) VALUES (?, 0)", arguments: ["\(number)"])
                written.withLock { $0 += 1 }
            }
        }
        let copy = Store(try SQLiteEngine(path: SQLiteFile.copy(of: path, at: Self.last)))
        let (kept, all) = (try await copy.apps.all(), try await upgraded.apps.all())
        // The last sentence comes after the upgrade.
        #expect(!kept.isEmpty && kept.count >= all.count - 1)
        #expect(Set(all.map(\.topic)).subtracting(kept.map(\.topic)) == ["\(kept.count)"])
    }

    @Test(
        "a database from before local time sends its broadcast under way to the end, and the rest at once",
        arguments: StoreEngine.allCases)
    func beforeLocalTime(engine: StoreEngine) async throws {
        let address = try await SchemaAddress.make(engine)
        let rules = RangeRules(devices: 1, chunkDevices: 2)
        // This program cannot send with the older tables: it makes them anew, and puts a message under way into them.
        let old = try await address.open(Schema(upgrades: []))
        try await old.write(at: noon) { session in
            try session.execute("INSERT INTO apps (topic, created, next_ordinal) VALUES (?, 0, 4)", [topic])
            for ordinal in 1...3 {
                let id = "d\(ordinal)"
                let token = Data(id.utf8).hexadecimal
                try session.execute(
                    """
                    INSERT INTO devices (id, app, ordinal, secret_hash, environment, token, token_registered, state, confirmed,
                        permission, tags, seen) VALUES (?, 1, ?, ?, 'sandbox', ?, 0, 'active', 0, 'authorized', '[]', 0)
                    """, [id, ordinal, Data(repeating: 1, count: 32), token])
            }
            try session.execute(
                """
                INSERT INTO messages (app, id, mode, payload, badge_is_unread, fingerprint, audience, revision, devices, accepted,
                    dialect, everyone, ranged) VALUES (1, 'm', 'visible', ?, 0, ?, ?, 1, 0, ?, 'carillon', 1, 1)
                """,
                [
                    try Payload(aps: Aps(alert: .text("Hello"))).encoded(), Data([1]), Audience.everyone.fingerprint,
                    noon.millisecondsSince1970,
                ])
            try session.execute(
                """
                INSERT INTO ranges (message, app, chunk_devices, last, began, planned, due)
                VALUES (1, 1, 2, 3, ?, 2, ?)
                """, [noon.millisecondsSince1970, noon.millisecondsSince1970])
            var chunk = RangeChunk(addressed: DeviceSet([0, 1]))
            chunk.pass(1)
            chunk.handOver([0], at: noon)
            chunk.accept([0], at: noon)
            try session.execute(
                """
                INSERT INTO chunks (message, first, channel, position, rest, open, removing, epoch, marks)
                VALUES (1, 1, \(SendingChannel.number(1, .sandbox)), 1, 'queued', 1, 0, 1, ?)
                """, [chunk.encodedMarks])
        }
        try old.close()
        let store = try await address.open(ranges: rules)
        #expect(try await store.sendShown(at: noon) == ["d2", "d3"])
        #expect(try await store.localReport(at: noon).counts.accepted == 3)
        var later = try localMessage("2027-01-16T09:00", "later")
        later.local?.fallback = "Asia/Tokyo"
        _ = try await store.accept(later, at: noon)
        #expect(try await store.sendShown(at: moment("2027-01-15T19:00:00Z")).isEmpty)
        #expect(try await store.sendShown(at: moment("2027-01-16T00:00:00Z")) == ["d1", "d2", "d3"])
    }

    @Test("an upgrade's statements at PostgreSQL may take as long as they need")
    func unlimited() async throws {
        let address = try await SchemaAddress.make(.postgresql)
        _ = try await address.open()
        let schema = Schema(
            upgrades: Schema.current.upgrades + [
                .init(
                    to: Self.last + 1, "CREATE TABLE limits (value TEXT NOT NULL) STRICT;",
                    fillings: [
                        """
                        INSERT INTO limits (value) SELECT current_setting('statement_timeout')
                        WHERE NOT EXISTS (SELECT 1 FROM limits)
                        """
                    ])
            ])
        let store = try await address.open(schema)
        #expect(try await store.read { try $0.rows("SELECT value FROM limits").map { $0.text("value") } } == ["0"])
    }

    @Test("a program that is older than the database says so at its start", arguments: StoreEngine.allCases)
    func newer(engine: StoreEngine) async throws {
        let address = try await SchemaAddress.make(engine)
        _ = try await address.open(Self.next)
        let error = await #expect(throws: ServiceError.self) { try await address.open() }
        #expect(
            error?.description.contains("version \(Self.last + 2), and this program needs version \(Self.last)") == true
        )
        #expect(error?.description.contains("a newer version of Carillon") == true)
    }

    @Test(
        "a program that runs while a newer one upgrades the database says so and writes nothing more",
        arguments: StoreEngine.allCases)
    func overtaken(engine: StoreEngine) async throws {
        let address = try await SchemaAddress.make(engine)
        let running = try await address.open()
        _ = try await running.put(AppSettings(topic: topic), at: noon)
        let newer = try await address.open(Self.next)
        let error = await #expect(throws: ServiceError.self) {
            try await running.put(AppSettings(topic: "com.example.ferry"), at: noon)
        }
        #expect(error?.description.contains("a newer version of Carillon") == true)
        // Neither a sender's beat, which takes no turn.
        let beat = await #expect(throws: ServiceError.self) {
            try await running.transactions.writeBeside { try $0.execute("UPDATE apps SET created = 0") }
        }
        #expect(beat?.description == error?.description)
        #expect(try await newer.apps.all().map(\.topic) == [topic])
        _ = try await newer.put(AppSettings(topic: "com.example.ferry"), at: noon)
        #expect(try await running.apps.all().count == 2, "who only reads goes on")
    }

    @Test("asking for the version costs PostgreSQL no round trip")
    func roundTrips() async throws {
        let proxy = try CuttingProxy(to: try await PostgreSQLForTests.shared.folder(), seed: 1)
        defer { proxy.stop() }
        let store = try await StoreEngine.postgreSQL(
            at: try await StoreEngine.emptySchema(through: proxy), listens: false)
        for round in 0..<2 {
            let before = proxy.roundTrips
            try await store.write(at: noon) { try $0.execute("UPDATE apps SET created = 0") }
            // One to begin, one for the change and the transaction's number, one to commit. The first time connects.
            if round > 0 { #expect(proxy.roundTrips - before == 3) }
        }
        try store.close()
    }

    @Test("a service that runs while a newer program upgrades its database refuses what it cannot write")
    func service() async throws {
        let address = try await SchemaAddress.make(.sqlite)
        let store = try await address.open()
        for app in [chime, ferry] { _ = try await store.put(AppSettings(topic: app.topic), at: noon) }
        try await RunningService.run(store: store, roles: [.api]) { running in
            _ = try await address.open(Self.next)
            let answer = try await running.call(
                "POST", "/v1/notifications", body: ["to": ["everyone": true], "payload": ["aps": ["alert": "Hello"]]])
            #expect(answer.status == 503 && answer.headers["retry-after"] == "1", "another process may take it")
            let health = try await running.call("GET", "/healthz")
            #expect(health.status == 503 && health.json["reason"]?.stringValue != nil, "this process cannot write")
        }
    }

    @Test(
        "a program whose database becomes an older one, as by a backup that is put back, says so and writes nothing",
        arguments: StoreEngine.allCases)
    func older(engine: StoreEngine) async throws {
        let address = try await SchemaAddress.make(engine)
        let former = try await address.open()
        let running = try await address.open(Self.next)
        try await running.write(at: noon) { try $0.execute("UPDATE carillon_schema SET version = \(Self.last)") }
        let error = await #expect(throws: ServiceError.self) {
            try await running.put(AppSettings(topic: topic), at: noon)
        }
        #expect(error?.description.contains("an older version of Carillon") == true)
        #expect(try await former.apps.all().isEmpty)
    }
}

/// A database that programs of several versions open.
private enum SchemaAddress {
    case file(TemporaryFolder)
    case server(String)

    static func make(_ engine: StoreEngine) async throws -> SchemaAddress {
        switch engine {
        case .sqlite: .file(try TemporaryFolder())
        case .postgresql: .server(try await StoreEngine.emptySchema())
        }
    }

    func open(
        _ schema: Schema = .current, ranges: RangeRules = RangeRules(),
        telling: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws -> Store {
        switch self {
        case .file(let folder):
            let path = folder.url.appending(path: "carillon.sqlite").path
            return Store(try SQLiteEngine(path: path, schema: schema, telling: telling), ranges: ranges)
        case .server(let url):
            return Store(
                try await PostgreSQLEngine.opened(url: url, schema: schema, readers: 1, telling: telling) { _ in false
                },
                ranges: ranges)
        }
    }
}
