import CarillonCore
import Dispatch
import Foundation
import TestSupport
import Testing

@testable import CarillonServer

@Suite("PostgreSQL, when something goes wrong", .serialized)
struct PostgreSQLStoreTests {
    private let store: Store
    private let address: String

    init() async throws {
        address = try await StoreEngine.emptySchema()
        store = try await StoreEngine.postgreSQL(at: address)
        _ = try await store.put(AppSettings(topic: topic), at: noon)
    }

    private func opening(_ address: String) async -> String {
        do {
            _ = try await StoreEngine.postgreSQL(at: address)
            return "it was opened"
        } catch {
            return "\(error)"
        }
    }

    /// The tables of a store, each with its number of rows, such as `apps: 1`.
    private static func tables(_ store: Store) async throws -> [String] {
        try await store.read { connection in
            let names = try connection.rows(
                """
                SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema()
                ORDER BY table_name
                """, []
            ).map { try $0["table_name"] as String }
            return try names.map { "\($0): \(try connection.integer("SELECT count(*) FROM \($0)"))" }
        }
    }

    // MARK: At the start

    @Test("what is wrong with an address is said, with what to do")
    func refusals() async throws {
        let folder = try await PostgreSQLForTests.shared.folder().path
        let socket = "host=\(folder)"
        #expect(await opening("postgres://carillon@/nowhere?\(socket)").contains("createdb"))
        #expect(await opening("postgres://nobody-at-all@/postgres?\(socket)").contains("createuser"))
        #expect(await opening("postgres://carillon@/postgres?\(socket)&colour=red").contains("leave that option out"))
        #expect(await opening("\(address)%20-csynchronous_commit%3Doff").contains("synchronous_commit is off"))
        #expect(await opening("postgres://carillon@/postgres?host=/nowhere").contains("cannot be reached"))
        #expect(await opening("mysql://localhost/carillon").contains("expected postgres://"))
    }

    @Test("a server that is not there is waited for, and told each time")
    func waiting() async throws {
        let told = SharedValue(0)
        await #expect(throws: ServiceError.self) {
            try await PostgreSQLEngine.opened(url: "postgres://carillon@/postgres?host=/nowhere") { _ in
                told.withLock {
                    $0 += 1
                    return $0 < 2
                }
            }
        }
        #expect(told.withLock { $0 } == 2)
    }

    @Test("a process that opens the tables waits for one that holds them, such as one that upgrades them")
    func held() async throws {
        let other = try PostgreSQLHandle(url: address)
        try other.run(
            "BEGIN; SELECT pg_advisory_xact_lock(\(PostgreSQLConnection.writers), hashtext(current_schema()))")
        let session = try other.text("SELECT CAST(pg_backend_pid() AS TEXT)")
        let reasons = SharedValue<[String]>([])
        let engine = try await PostgreSQLEngine.opened(
            url: address, patience: .milliseconds(100), readers: 1
        ) { [address] reason in
            reasons.withLock { $0.append(reason) }
            do {
                try PostgreSQLHandle(url: address).run("SELECT pg_terminate_backend(\(session))")
            } catch { Issue.record(error) }
            return true
        }
        engine.close()
        // On a busy machine the server may also end this session, for its own idle time.
        #expect(reasons.withLock(\.first) == ServiceError.databaseIsBusy.description)
    }

    @Test("the tables of a newer version are left alone")
    func newer() async throws {
        try await store.write(at: noon) { try $0.execute("UPDATE carillon_schema SET version = ?", [99]) }
        let before = try await Self.tables(store)
        #expect(before.count > 10)
        #expect(await opening(address).contains("newer"))
        #expect(try await Self.tables(store) == before)
    }

    @Test("processes that start together make the tables once")
    func together() async throws {
        let address = try await StoreEngine.emptySchema()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<6 { group.addTask { try await StoreEngine.postgreSQL(at: address).close() } }
            try await group.waitForAll()
        }
        let store = try await StoreEngine.postgreSQL(at: address)
        let (made, usual) = (try await Self.tables(store), try await Self.tables(self.store))
        #expect(made.map { $0.prefix { $0 != ":" } } == usual.map { $0.prefix { $0 != ":" } })
        #expect(made.contains("carillon_schema: 1"), "one row, with the version")
        try store.close()
    }

    // MARK: Later

    /// Ends the session that a transaction has, as a restart of the server does.
    private static func cut(_ process: Int, _ address: String) throws {
        try PostgreSQLHandle(url: address).run("SELECT pg_terminate_backend(\(process))")
    }

    @Test("a transaction whose connection is lost is run again, with those that share it")
    func lost() async throws {
        let runs = SharedValue(0)
        let number = try await store.write(at: noon) { [address] transaction in
            let number = try transaction.insertNumbered("INSERT INTO senders (name) VALUES (?)", ["a"])
            if runs.withLock({
                $0 += 1
                return $0
            }) == 1 {
                try Self.cut(try transaction.integer("SELECT pg_backend_pid()"), address)
            }
            try transaction.execute("UPDATE senders SET beat = beat + 1")
            return number
        }
        #expect(runs.withLock { $0 } == 2 && number != nil)
        #expect(try await store.read { try $0.integer("SELECT sum(beat)::bigint FROM senders") } == 1)
    }

    @Test("so is one that reads")
    func lostReading() async throws {
        let runs = SharedValue(0)
        let count = try await store.read { [address] transaction in
            if runs.withLock({
                $0 += 1
                return $0
            }) == 1 {
                try Self.cut(try transaction.integer("SELECT pg_backend_pid()"), address)
            }
            return try transaction.integer("SELECT count(*) FROM apps")
        }
        #expect(runs.withLock { $0 } == 2 && count == 1)
    }

    @Test("a commit that fails because its connection is lost is run again")
    func lostBeforeCommit() async throws {
        // The first commit ends its own session before it has happened.
        try PostgreSQLHandle(url: address).run(
            """
            CREATE SEQUENCE tries;
            CREATE FUNCTION fail_once() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                IF nextval('tries') = 1 THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF;
                RETURN NULL;
            END $$;
            CREATE CONSTRAINT TRIGGER at_commit AFTER INSERT ON senders DEFERRABLE INITIALLY DEFERRED
                FOR EACH ROW EXECUTE FUNCTION fail_once();
            """)
        _ = try await store.write(at: noon) { try $0.insertNumbered("INSERT INTO senders (name) VALUES (?)", ["a"]) }
        #expect(try await store.read { try $0.integer("SELECT count(*) FROM senders") } == 1)
        #expect(try await store.read { try $0.integer("SELECT last_value FROM tries") } == 2)
    }

    @Test("a commit that has happened, and whose answer is lost, is not run again", .timeLimit(.minutes(5)))
    func lostAfterCommit() async throws {
        // It waits for a standby that there is not, after it has committed, and is cut off then.
        let waiting = try await StoreEngine.postgreSQL(at: "\(address)%20-csynchronous_commit%3Dlocal")
        let handle = try PostgreSQLHandle(url: address)
        let runs = SharedValue(0)
        async let number = waiting.write(at: noon) { transaction in
            runs.withLock { $0 += 1 }
            try transaction.execute("SET LOCAL synchronous_commit = on")
            return try transaction.insertNumbered("INSERT INTO senders (name) VALUES (?)", ["a"])
        }
        var session = ""
        while session.isEmpty {
            session = try handle.text(
                "SELECT CAST(pid AS TEXT) AS pid FROM pg_stat_activity WHERE wait_event = 'SyncRep' LIMIT 1")
            await Task.yield()
        }
        try Self.cut(try #require(Int(session)), address)
        #expect(try await number != nil)
        #expect(runs.withLock { $0 } == 1)
        #expect(try await store.read { try $0.integer("SELECT count(*) FROM senders") } == 1)
    }

    @Test("a server that takes no writes any more is left for the one that does")
    func demoted() async throws {
        try await store.write(at: noon) { try $0.execute("SET default_transaction_read_only = on") }
        _ = try await store.write(at: noon) { try $0.insertNumbered("INSERT INTO senders (name) VALUES (?)", ["a"]) }
        #expect(try await store.read { try $0.integer("SELECT count(*) FROM senders") } == 1)
    }

    @Test("behind a pooler that knows no prepared statements, nobody runs what another has prepared, and all goes on")
    func foreignSessions() async throws {
        let (one, two) = (StatementKey(sql: "SELECT ?", types: [20]), StatementKey(sql: "SELECT ?", types: [25]))
        #expect(one.name(0) == StatementKey(sql: "SELECT ?", types: [20]).name(0))
        #expect(Set([one.name(0), one.name(1), two.name(0)]).count == 3 && one.name(0).utf8.count < 64)

        let handle = try PostgreSQLHandle(url: address)
        let query = "SELECT CAST(? AS BIGINT) AS number"
        func count() throws -> Int64 { try handle.run(query, [7]).result.rows(["number"])[0]["number"] }
        #expect(try count() == 7)
        // Another session, which has nothing.
        try handle.run("DEALLOCATE ALL")
        let missing = #expect(throws: PostgreSQLError.self) { _ = try count() }
        #expect(missing?.isPassing == true)
        for _ in 0..<2 { #expect(try count() == 7) }
        #expect(try handle.text("SELECT CAST(count(*) AS TEXT) AS count FROM pg_prepared_statements") == "0")

        // Another session, in which somebody else has prepared that statement.
        let other = try PostgreSQLHandle(url: address)
        let name = StatementKey(sql: query, types: [20]).name(0)
        try other.run("PREPARE \(name) (bigint) AS SELECT CAST($1 AS BIGINT) AS number")
        let taken = #expect(throws: PostgreSQLError.self) { _ = try other.run(query, [7]) }
        #expect(taken?.isPassing == true)
        #expect(try other.run(query, [7]).columns == ["number"])
    }

    @Test("a process that stands still while it writes holds others up no longer than they wait")
    func frozen() async throws {
        let frozen = Store(
            try await PostgreSQLEngine.opened(url: address, patience: .seconds(2), readers: 1) { _ in false })
        let (entered, isEntered) = AsyncStream.makeStream(of: Void.self)
        let (gate, runs) = (DispatchSemaphore(value: 0), SharedValue(0))
        async let late: Void = frozen.write(at: noon) { transaction in
            try transaction.execute("INSERT INTO senders (name) VALUES (?)", ["late"])
            runs.withLock { $0 += 1 }
            isEntered.finish()
            gate.wait()
            gate.signal()
            try transaction.execute("UPDATE senders SET beat = beat + 1")
        }
        for await _ in entered {}
        _ = try await store.write(at: noon) {
            try $0.insertNumbered("INSERT INTO senders (name) VALUES (?)", ["first"])
        }
        gate.signal()
        try await late
        #expect(runs.withLock { $0 } >= 2)
        #expect(try await store.read { try $0.integer("SELECT min(beat) FROM senders") } == 1, "the other's is seen")
    }

    @Test("a text with a NUL is refused, and nothing else with it")
    func nul() async throws {
        await #expect(throws: ServiceError.self) {
            try await store.write(at: noon) {
                try $0.execute("INSERT INTO senders (name) VALUES (?)", ["ok"])
                try $0.execute("INSERT INTO senders (name) VALUES (?)", ["a\0b"])
            }
        }
        #expect(try await store.read { try $0.integer("SELECT count(*) FROM senders") } == 0)
    }

    @Test("a full disk is told as such")
    func full() async throws {
        let error = await #expect(throws: ServiceError.self) {
            try await store.write(at: noon) { try $0.execute("DO $$ BEGIN RAISE USING ERRCODE = '53100'; END $$") }
        }
        #expect(error?.code == .full)
    }

    @Test("a call that fails at the database is undone alone")
    func failure() async throws {
        try await store.write(at: noon) { try $0.execute("INSERT INTO senders (name) VALUES (?)", ["a"]) }
        await withTaskGroup(of: Bool.self) { group in
            for name in ["b", "a", "c", "a", "d"] {
                group.addTask { [store] in
                    let written: Void? = try? await store.write(at: noon) {
                        try $0.execute("INSERT INTO senders (name) VALUES (?)", [name])
                    }
                    return written != nil
                }
            }
            var written = 0
            for await isWritten in group where isWritten { written += 1 }
            #expect(written == 3)
        }
        #expect(try await store.read { try $0.integer("SELECT count(*) FROM senders") } == 4)
    }

    @Test("what was closed answers no more")
    func closed() async throws {
        try store.close()
        await #expect(throws: ServiceError.self) { try await store.apps.all() }
        await #expect(throws: ServiceError.self) { _ = try await store.put(AppSettings(topic: "x"), at: noon) }
    }
}
