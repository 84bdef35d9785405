import Foundation
import TestSupport
import Testing

@testable import CarillonServer

@Suite("A commit whose answer was lost, and a server that has crashed")
struct CommitOutcomeTests {
    @Test(
        "a server that has crashed gives numbers out again, so it is not believed that one is committed",
        arguments: [
            ("committed", false, CommitOutcome.committed), ("committed", true, .unknown), ("aborted", false, .undone),
            ("aborted", true, .undone), ("in progress", false, .pending), ("in progress", true, .pending),
            ("", false, .unknown), ("", true, .unknown),
        ])
    func status(_ status: String, _ hasCrashed: Bool, _ outcome: CommitOutcome) {
        #expect(CommitOutcome(status: status, hasCrashed: hasCrashed) == outcome)
    }

    @Test(
        "a transaction that the crash has undone is run again, though another has got its number",
        .timeLimit(.minutes(5)))
    func crash() async throws {
        // Nothing of a transaction is in the log before its commit.
        let server = PostgreSQLForTests(suffix: "numbers", options: ["wal_writer_delay=10s"])
        let address = try await server.address(schema: "public")
        let store = try await StoreEngine.postgreSQL(at: address)
        try PostgreSQLHandle(url: address).run(
            """
            CREATE TABLE others (number BIGINT);
            CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                PERFORM pg_sleep(3600);
                RETURN NULL;
            END $$;
            CREATE CONSTRAINT TRIGGER at_commit AFTER INSERT ON senders DEFERRABLE INITIALLY DEFERRED
                FOR EACH ROW WHEN (NEW.name = 'a') EXECUTE FUNCTION wait();
            """)
        let runs = SharedValue(0)
        async let answer = Self.answer(of: store, runs)
        let number = try await Self.waitingCommit(address)
        try await server.restart(.immediate)
        // Whoever comes first now gets the number of the one that is gone.
        let next = try PostgreSQLHandle(url: address).text(
            "WITH made AS (INSERT INTO others VALUES (1)) SELECT CAST(pg_current_xact_id() AS TEXT) AS number")
        let told = await answer
        let names = try PostgreSQLHandle(url: address).text("SELECT coalesce(max(name), '') AS name FROM senders")
        if told == "done" {
            #expect(names == "b" && runs.withLock { $0 } == 2, "\(number), then \(next)")
        } else {
            #expect(told.contains("is not known") && names.isEmpty, "\(number), then \(next): \(told)")
        }
    }

    private static func answer(of store: Store, _ runs: SharedValue<Int>) async -> String {
        do {
            _ = try await store.write(at: noon) { transaction in
                let run = runs.withLock {
                    $0 += 1
                    return $0
                }
                return try transaction.insertNumbered(
                    "INSERT INTO senders (name) VALUES (?)", [run == 1 ? "a" : "b"])
            }
            return "done"
        } catch {
            return "\(error)"
        }
    }

    /// - Returns: the number of the transaction that waits within its commit.
    private static func waitingCommit(_ address: String) async throws -> String {
        let handle = try PostgreSQLHandle(url: address)
        var number = ""
        while number.isEmpty {
            number = try handle.text(
                "SELECT CAST(backend_xid AS TEXT) AS number FROM pg_stat_activity WHERE wait_event = 'PgSleep' LIMIT 1")
            await Task.yield()
        }
        return number
    }
}
