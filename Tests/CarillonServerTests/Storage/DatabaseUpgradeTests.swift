import CarillonCore
import Foundation
import GRDB
import Synchronization
import Testing

@testable import CarillonServer

/// Databases of earlier versions, as they were written then: these fixtures never change.
@Suite("A database of an earlier version is upgraded")
struct DatabaseUpgradeTests {
    private static let apiKey = "ck_0011223344556677_5ec4e7" + String(repeating: "0", count: 58)
    private static let now = Timestamp(secondsSince1970: 1_796_000_000)
    private static let first = "com.example.chime"
    private static let second = "com.example.ferry"

    /// Makes a folder with the database of version 2.
    private func fixture() throws -> (TemporaryFolder, path: String) {
        let folder = try TemporaryFolder()
        let path = folder.url.appending(path: "carillon.sqlite").path
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Fixtures/database-version-2.sql").standardized
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { try $0.execute(sql: String(contentsOf: file, encoding: .utf8)) }
        try queue.close()
        return (folder, path)
    }

    private func app(_ topic: String, _ store: SQLiteStore) async throws -> AppReference {
        try #require(try await store.app(topic)).reference
    }

    @Test("apps come from the topics there were, and old API keys are for exactly these")
    func apps() async throws {
        let (folder, path) = try fixture()
        defer { folder.remove() }
        let store = try SQLiteStore(path: path, at: Self.now)
        #expect(try await store.apps().map(\.topic) == [Self.first, Self.second])
        let keys = APIKeys(store: store, clock: ManualClock(start: Self.now), random: .system)
        #expect(try await keys.record(for: Self.apiKey)?.apps.map(\.topic) == [Self.first, Self.second])
        #expect(try await store.apiKeys().map { $0.revoked == nil } == [true, false])
    }

    @Test("leases of before count as attempts, what phones have said is kept, and broadcasts are known as such")
    func senders() async throws {
        let (folder, path) = try fixture()
        defer { folder.remove() }
        let pool = try DatabasePool(path: path)
        try SQLiteSchema.migrator(at: Self.now).migrate(pool, upTo: SQLiteSchema.beforeApps)
        try SQLiteUpgrade(pool: pool, now: Self.now, report: { _ in }).run()
        try SQLiteSchema.migrator(at: Self.now).migrate(pool, upTo: SQLiteSchema.appsMigration)
        try await pool.write { db in
            try db.execute(
                sql: """
                    UPDATE deliveries SET lease_owner = 'sender', lease_until = 9999999999999, attempt = 1, reach = 1
                    WHERE message = (SELECT number FROM messages WHERE id = 'm-waits') AND purpose = 'show'
                    """)
            try db.execute(
                sql: "UPDATE messages SET audience = ? WHERE id = 'm-1'", arguments: [Audience.everyone.fingerprint])
        }
        let receipts = try await pool.read {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM events WHERE receipt IS NOT NULL") ?? 0
        }
        try pool.close()

        let store = try SQLiteStore(path: path, at: Self.now)
        let claimed = try await store.claim(everything(), at: Self.now).deliveries
        #expect(claimed.first { $0.message?.id.rawValue == "m-waits" }?.attempt == 2)
        let (everyone, answered) = try await store.read { transaction in
            (
                try transaction.rows("SELECT id FROM messages WHERE everyone = 1").map { $0["id"] as String },
                try transaction.integer("SELECT count(*) FROM deliveries WHERE answers <> 0")
            )
        }
        #expect(everyone == ["m-1"])
        #expect(receipts > 0 && answered > 0)
    }

    @Test("inbox entries follow their message to its app, and nobody is shown what was replaced for another")
    func inboxes() async throws {
        let (folder, path) = try fixture()
        defer { folder.remove() }
        let store = try SQLiteStore(path: path, at: Self.now)
        func inbox(_ user: String, _ topic: String) async throws -> [String] {
            let user = UserReference(user, of: try await app(topic, store).number)
            return try await store.inbox(user: user, before: nil, limit: 100, at: Self.now).map(\.id.rawValue)
        }
        #expect(try await inbox("u-1", Self.first) == ["m-waits", "m-assured", "m-leak", "m-1"])
        #expect(try await inbox("u-1", Self.second) == ["m-b"])
        #expect(try await inbox("u-2", Self.first) == [], "m-leak went to u-1 since")
        #expect(try await inbox("u-3", Self.second).count == 1)
        #expect(try await inbox("u-9", Self.first) == ["m-assured"])
    }

    @Test("reports, timelines, removals and idempotency keys are as they were")
    func messages() async throws {
        let (folder, path) = try fixture()
        defer { folder.remove() }
        let store = try SQLiteStore(path: path, at: Self.now)
        let chime = try await app(Self.first, store)
        let report = try await store.report(MessageReference(MessageID(test: "m-1"), of: chime.number), at: Self.now)
        #expect(report?.counts.accepted == 1 && report?.counts.opened == 1 && report?.revision == 1)
        let timeline = try await store.timeline(
            MessageReference(MessageID(test: "m-1"), of: chime.number), after: nil, limit: 10, at: Self.now)
        #expect(timeline?.devices.first?.events.map(\.event) == [.queued, .sent, .accepted, .shown, .opened])
        let recall = try await store.recallAnswer(
            MessageReference(MessageID(test: "m-until"), of: chime.number), limit: 10)
        #expect(recall?.recall == ["pending until launch": 1])
        let sync = try await store.sync("phone-a1", limit: 10, at: Self.now)
        #expect(sync?.removals.map(\.message.rawValue) == ["m-until"])
        let repeated = try await store.pool.read { db in
            try Row.fetchOne(
                db,
                sql: """
                    SELECT messages.id FROM idempotency JOIN messages ON messages.number = idempotency.message
                    WHERE idempotency.key = 'order-7'
                    """)?["id"] as String?
        }
        #expect(repeated == "066cdb7174659fbbfd85ef1170f1b883")
    }

    @Test("what waits is sent, but not to a device that has become another app's")
    func waiting() async throws {
        let (folder, path) = try fixture()
        defer { folder.remove() }
        let store = try SQLiteStore(path: path, at: Self.now)
        let moved = try await store.pool.read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT messages.id || ' ' || deliveries.state FROM deliveries
                        JOIN messages ON messages.number = deliveries.message
                    WHERE deliveries.device = 'phone-moved' ORDER BY messages.id
                    """)
        }
        #expect(moved == ["m-all cancelled", "m-moved queued"])
        let claimed = try await store.claim(everything(), at: Self.now).deliveries
        let sent = claimed.compactMap { delivery in
            delivery.message.map { "\($0.id) \(delivery.device) \(delivery.app.topic)" }
        }
        #expect(
            Set(sent) == [
                "m-waits phone-a1 \(Self.first)", "m-assured phone-a1 \(Self.first)",
                "m-moved phone-moved \(Self.second)",
            ])
    }

    @Test("devices keep what is known of them; those that APNs accepted a push for are confirmed, the others are tried")
    func devices() async throws {
        let (folder, path) = try fixture()
        defer { folder.remove() }
        let store = try SQLiteStore(path: path, at: Self.now)
        let phone = try #require(try await store.device("phone-a1"))
        #expect(phone.user == "u-1" && phone.facts.locale == "de_AT" && phone.facts.tags == ["news"])
        #expect(phone.ordinal == 1 && phone.confirmed != nil)
        let moved = try #require(try await store.device("phone-moved"))
        #expect(moved.app.topic == Self.second && moved.confirmed == nil && moved.ordinal == nil)
        let superseded = try #require(try await store.device("phone-a3"))
        #expect(superseded.state == .superseded && superseded.user == nil)
        let later = Self.now + .seconds(10)
        let checks = try await store.claim(everything(), at: later).deliveries
            .filter { $0.purpose == .tokenCheck }
        #expect(checks.map(\.device).contains("phone-moved"))
        #expect(!checks.map(\.device).contains("phone-a1"))
        _ = try await store.settle(checks.map { $0.settled(at: later) }, at: later)
        let next = try await store.device("phone-a5")?.ordinal
        #expect(next == 2)
    }

    @Test("an id of before is replaced without a word, unless somebody would lose it")
    func replacing() async throws {
        let (folder, path) = try fixture()
        defer { folder.remove() }
        let store = try SQLiteStore(path: path, at: Self.now)
        let chime = try await app(Self.first, store)
        let same = try message("m-1", to: .users(["u-1"]), text: "new", app: chime)
        guard case .accepted = try await store.accept(same, at: Self.now) else {
            Issue.record("the replacement was refused")
            return
        }
        let other = try message("m-assured", to: .users(["u-1"]), text: "new", app: chime)
        #expect(try await store.accept(other, at: Self.now) == .refused(.otherAudience), "u-9 would lose it")
    }

    // MARK: How

    @Test("a copy is made before, complete and readable by nobody else, and stays")
    func copy() async throws {
        let (folder, path) = try fixture()
        defer { folder.remove() }
        try SQLiteStore(path: path, at: Self.now).close()
        let copy = "\(path).version-2"
        let attributes = try FileManager.default.attributesOfItem(atPath: copy)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let count = try await DatabaseQueue(path: copy).read {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM messages")
        }
        #expect(count == 10)
        let before = try Data(contentsOf: URL(filePath: copy))
        try SQLiteStore(path: path, at: Self.now).close()
        #expect(try Data(contentsOf: URL(filePath: copy)) == before)
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
        #expect(!left.contains { $0.hasSuffix(".unfinished") })
    }

    @Test("it tells how far it has come")
    func progress() throws {
        let (folder, path) = try fixture()
        defer { folder.remove() }
        let seen = Mutex<[UpgradeProgress]>([])
        try SQLiteStore(path: path, at: Self.now) { step in seen.withLock { $0.append(step) } }.close()
        let last = seen.withLock { Dictionary(grouping: $0, by: \.table).compactMapValues(\.last) }
        #expect(Set(last.keys) == Set(SQLiteUpgrade.tables))
        #expect(last.values.allSatisfy { $0.done == $0.total })
    }

    @Test("a crash after any step loses nothing and copies nothing twice")
    func resumed() async throws {
        let (whole, wholePath) = try fixture()
        defer { whole.remove() }
        let expected = try SQLiteStore(path: wholePath, at: Self.now)
        let reference = try await contents(expected)
        try expected.close()
        for steps in 1...SQLiteUpgrade.tables.count * 3 {
            let (folder, path) = try fixture()
            defer { folder.remove() }
            try interrupted(path, after: steps)
            let store = try SQLiteStore(path: path, at: Self.now)
            #expect(try await contents(store) == reference, "after \(steps) steps")
            try store.close()
        }
    }

    private struct Crash: Error {}

    /// Runs so many steps of the upgrade, two rows each, and no more.
    private func interrupted(_ path: String, after steps: Int) throws {
        let pool = try DatabasePool(path: path)
        let upgrade = SQLiteUpgrade(pool: pool, now: Self.now, rowsPerStep: 2) { _ in }
        try upgrade.run(steps: steps)
        try pool.close()
    }

    private func contents(_ store: SQLiteStore) async throws -> [String: [String]] {
        try await store.pool.read { db in
            var contents: [String: [String]] = [:]
            for table in SQLiteUpgrade.tables + ["apps", "api_key_apps"] {
                contents[table] = try Row.fetchAll(db, sql: "SELECT * FROM \(table)").map { "\($0)" }.sorted()
            }
            return contents
        }
    }

    @Test("a database of a newer version is refused with a sentence, and is not touched")
    func newer() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let path = folder.url.appending(path: "carillon.sqlite").path
        let store = try SQLiteStore(path: path, at: noon)
        try await store.pool.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('9: of the future')") }
        try store.close()
        let error = #expect(throws: ServiceError.self) { try SQLiteStore(path: path, at: noon) }
        #expect(error?.description.contains("newer version") == true)
    }

    @Test("the database and all that is beside it is readable by its owner only, also what was there before")
    func permissions() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let path = folder.url.appending(path: "carillon.sqlite").path
        _ = FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o644])
        let store = try SQLiteStore(path: path, at: noon)
        _ = try await store.put(AppSettings(topic: topic), at: noon)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(files.count >= 3)
        for file in files {
            let attributes = try FileManager.default.attributesOfItem(
                atPath: folder.url.appending(path: file).path)
            #expect(attributes[.posixPermissions] as? Int == 0o600, "\(file)")
        }
        try store.close()
    }

    @Test("stores that are opened at the same time make the tables once")
    func together() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let path = folder.url.appending(path: "carillon.sqlite").path
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<6 { group.addTask { try SQLiteStore(path: path, at: noon).close() } }
            try await group.waitForAll()
        }
    }
}
