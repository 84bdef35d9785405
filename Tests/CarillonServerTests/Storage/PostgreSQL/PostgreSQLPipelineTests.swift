import CarillonCore
import Testing

@testable import CarillonServer

@Suite("PostgreSQL is told of what a transaction writes when the transaction wants to know something")
struct PostgreSQLPipelineTests {
    private let address: String

    init() async throws { address = try await StoreEngine.emptySchema() }

    private static let insert = "INSERT INTO numbers (number) VALUES (?)"

    private func handle() throws -> PostgreSQLHandle {
        let handle = try PostgreSQLHandle(url: address)
        try handle.run("CREATE TABLE numbers (number BIGINT PRIMARY KEY)")
        return handle
    }

    private func numbers(_ handle: PostgreSQLHandle) throws -> [Int64] {
        try handle.run("SELECT number FROM numbers ORDER BY number", []).result.rows(["number"]).map {
            try $0["number"]
        }
    }

    @Test("what was sent is done before what is asked behind it, in one answer")
    func order() throws {
        let handle = try handle()
        for number in 1...3 { try handle.send(Self.insert, [number]) }
        // One preparation, and three statements.
        #expect(handle.unanswered.count == 4)
        #expect(try numbers(handle) == [1, 2, 3])
        #expect(handle.unanswered.isEmpty && !handle.isPiped)
        try handle.send(Self.insert, [4])
        #expect(try handle.text("SELECT CAST(count(*) AS TEXT) AS count FROM numbers") == "4")
    }

    @Test("so many may be under way that the server need not wait for who reads its answers")
    func limit() throws {
        let handle = try handle()
        var most = 0
        for number in 0..<StoreLimits.statementsSentAhead * 2 {
            try handle.send(Self.insert, [number])
            most = max(most, handle.unanswered.count)
        }
        #expect(most == StoreLimits.statementsSentAhead - 1)
        #expect(try numbers(handle).count == StoreLimits.statementsSentAhead * 2)
    }

    @Test("what stands behind a statement that fails is not done, and is told why")
    func failure() throws {
        let handle = try handle()
        try handle.run("BEGIN")
        try handle.send(Self.insert, [1])
        try handle.send(Self.insert, [1])
        // Prepared behind the failure, and so not at all.
        try handle.send("DELETE FROM numbers WHERE number = ?", [1])
        let error = #expect(throws: PostgreSQLError.self) { _ = try numbers(handle) }
        #expect(error?.state == "23505" && error?.isPassing == false)
        #expect(handle.isSpoiled && !handle.isPiped)
        try handle.run("ROLLBACK")
        for number in 1...2 { try handle.send(Self.insert, [number]) }
        try handle.send("DELETE FROM numbers WHERE number = ?", [1])
        #expect(try numbers(handle) == [2])
    }

    @Test("while a transaction waits, the server knows that it does nothing: its time-out for that holds")
    func idle() throws {
        let (handle, other) = (try handle(), try PostgreSQLHandle(url: address))
        try handle.run("BEGIN")
        try handle.send(Self.insert, [1])
        _ = try numbers(handle)
        let process = try handle.run("SELECT pg_backend_pid() AS process", []).result.integer
        try handle.send(Self.insert, [2])
        #expect(
            try other.text("SELECT state FROM pg_stat_activity WHERE pid = \(#require(process))")
                == "idle in transaction")
        try handle.run("ROLLBACK")
    }
}
