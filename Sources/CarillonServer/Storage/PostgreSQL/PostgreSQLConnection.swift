import CarillonCore
import Foundation

/// A connection to PostgreSQL that connects again after it is lost.
///
/// The connection belongs to one thread, which waits for the server. Each transaction makes its own settings and takes its own
/// lock. So a connection pooler may run each transaction in another server session.
final class PostgreSQLConnection: SQLConnection {
    private let url: String
    let patience: Duration
    private let takesTurns: Bool
    private let reach: ServerReach
    let schema: Schema
    private var handle: PostgreSQLHandle?
    private(set) var totalChangesCount = 0
    private(set) var statementsCount = 0
    /// The number of the open transaction on the server.
    var number = TransactionNumber.isNotNeeded
    /// The time by which the present call must end, and the clock that measures it; `nil` for no such time.
    private var deadline: (end: Duration, clock: any CarillonClock)?

    /// Makes a connection object, which connects when it is first used.
    ///
    /// - Parameters:
    ///   - url: any address that libpq accepts.
    ///   - patience: the time for which a call waits for an unreachable server, or for another process that writes.
    ///   - takesTurns: whether writing transactions take the lock that lets only one connection write at a time. The default is
    ///     true.
    ///   - schema: the tables that a writing transaction requires. The default is this program's.
    ///   - reach: a record of failures to reach the server, which several connections can share. By default, the connection has a
    ///     record of its own.
    init(
        url: String, patience: Duration, takesTurns: Bool = true, schema: Schema = .current,
        reach: ServerReach = ServerReach()
    ) {
        (self.url, self.patience, self.takesTurns, self.schema) = (url, patience, takesTurns, schema)
        self.reach = reach
    }

    let dialect = SQLDialect.postgreSQL
    var isInsideTransaction: Bool { handle?.isInTransaction == true }
    var isTransactionSpoiled: Bool { handle?.isSpoiled == true }

    // MARK: Statements

    func execute(_ sql: String, _ arguments: SQLArguments) throws {
        try connected().send(sql, arguments)
        // The number of changed rows is not known yet, so this counts one.
        totalChangesCount += 1
        number.isNeeded()
    }

    func awaitStatements() throws {
        guard let handle else { return }
        let asked = number.isWanted ? try handle.ask(TransactionNumber.query, []) : nil
        try handle.endPipeline()
        if let asked { try number.read(asked) }
    }

    func changes(_ sql: String, _ arguments: SQLArguments) throws -> Int {
        let changes = try run(sql, arguments).result.changes
        totalChangesCount += changes
        return changes
    }

    func rows(_ sql: String, _ arguments: SQLArguments) throws -> [SQLRow] {
        let (result, columns) = try run(sql, arguments)
        totalChangesCount += result.changes
        return try result.rows(columns)
    }

    func row(_ sql: String, _ arguments: SQLArguments) throws -> SQLRow? {
        let (result, columns) = try run(sql, arguments)
        totalChangesCount += result.changes
        return try result.rows(columns, limit: 1).first
    }

    func later(_ sql: String, _ arguments: SQLArguments) throws -> LateRows {
        let answer = try connected().ask(sql, arguments)
        if TransactionNumber.isNeeded(for: sql) {
            totalChangesCount += 1
            number.isNeeded()
        }
        return LateRows { [self] in
            if answer.result == nil { try awaitStatements() }
            guard let (result, columns) = answer.result else { throw Self.lost }
            return try result.rows(columns)
        }
    }

    func insert(_ sql: String, _ arguments: SQLArguments) throws -> Int64? {
        try row("\(sql) RETURNING number", arguments)?["number"]
    }

    /// Inserts rows into a table with PostgreSQL's `COPY`.
    func insert(_ rows: [SQLArguments], into table: String, _ columns: [String]) throws {
        guard !rows.isEmpty else { return }
        let handle = try connected()
        var tuples = CopyTuples()
        for row in rows { try tuples.append(row) }
        let names = columns.map { "\"\($0)\"" }.joined(separator: ", ")
        number.isNeeded()
        try handle.copy("COPY \(table) (\(names)) FROM STDIN (FORMAT binary)", tuples.finished)
        totalChangesCount += rows.count
    }

    private func run(_ sql: String, _ arguments: SQLArguments) throws -> (result: PostgreSQLResult, columns: [String]) {
        let answer = try connected().ask(sql, arguments)
        if TransactionNumber.isNeeded(for: sql) { number.isNeeded() }
        try awaitStatements()
        guard let result = answer.result else { throw Self.lost }
        return result
    }

    /// Returns the open server session, so that a further statement of the transaction runs in it.
    ///
    /// If the session was lost, the function does not connect again, because a transaction cannot continue in another session.
    ///
    /// - Throws: ``lost`` if the session was lost.
    private func connected() throws -> PostgreSQLHandle {
        guard let handle, handle.isOpen else { throw Self.lost }
        if let deadline, deadline.clock.uptime >= deadline.end { throw PostgreSQLError.outOfTime }
        statementsCount += 1
        return handle
    }

    static let lost = PostgreSQLError(
        state: PostgreSQLError.connectionLost, description: "the connection was closed")

    // The server ends a single statement (``beginWriting``), and this a call of many statements.
    func within<Value>(
        _ limit: Duration?, of clock: any CarillonClock, _ body: () throws -> Value
    ) throws -> Value {
        if limit == nil { try execute("SET LOCAL statement_timeout = 0", []) }
        deadline = limit.map { (clock.uptime + $0, clock) }
        defer { deadline = nil }
        return try body()
    }

    // MARK: Transactions

    /// Runs `body` in a transaction while no other process writes, so that data that `body` has read stays valid until the
    /// commit.
    ///
    /// If the connection was made with `takesTurns` false, other processes can write too. In this case, the database protects
    /// only the rows that the transaction has changed.
    ///
    /// - Throws: ``ServiceError`` if the tables have another version than this program's. Reading the version costs no extra
    ///   round trip, because the query is sent with the statements that begin the transaction.
    func writing(_ body: () throws -> Void) throws {
        try transaction(beginningWith: beginWriting + Self.readVersion) { begun in
            try schema.require(begun.rows(begun.columns, limit: 1).first?.text("version").flatMap { Int($0) })
            try body()
        }
    }

    /// Runs `body` in a transaction like ``writing(_:)``, but without checking the version of the tables.
    func writingAnyVersion(_ body: () throws -> Void) throws {
        try LateFailure.unwrapped { try transaction(beginningWith: beginWriting) { _ in try body() } }
    }

    private func transaction(beginningWith begin: String, _ body: (PostgreSQLResult) throws -> Void) throws {
        let handle = try opened()
        number = .isNotNeeded
        do {
            try body(try handle.run(begin))
            guard handle.isOpen else { throw Self.lost }
        } catch {
            rollBack()
            throw error
        }
        try commit(handle)
    }

    /// Runs `body`, which only reads, on a snapshot of the database.
    func reading<Value>(_ body: () throws -> Value) throws -> Value {
        var tries = 1
        while true {
            do {
                let handle = try opened()
                number = .isNotNeeded
                // These statements go out with the first one of `body`.
                for statement in Self.beginReading { try handle.send(statement, []) }
                let value = try body()
                try handle.run("COMMIT")
                return value
            } catch let error as PostgreSQLError where error.isPassing && tries < StoreLimits.triesPerCommit {
                tries += 1
                rollBack()
            } catch {
                rollBack()
                throw error
            }
        }
    }

    /// The statements that begin a writing transaction.
    ///
    /// Their time-outs end the transaction of a stalled process, so that it does not hold the writers' lock for long. The limit on
    /// a statement does not include the wait for the lock, which has its own.
    private var beginWriting: String {
        """
        BEGIN ISOLATION LEVEL READ COMMITTED;
        SET LOCAL lock_timeout = \(max(1, patience.wholeMilliseconds));
        SET LOCAL idle_in_transaction_session_timeout = \(max(1, patience.wholeMilliseconds));
        \(takesTurns ? "SELECT pg_advisory_xact_lock(\(Self.writers), hashtext(current_schema()));" : "")
        SET LOCAL statement_timeout = \(StoreLimits.longestCall.wholeMilliseconds);
        """
    }

    /// The query for the version of the service's tables.
    ///
    /// The query casts the version to text, because the result of several statements sent together contains only texts.
    private static let readVersion = "SELECT CAST(version AS TEXT) AS version FROM carillon_schema"

    private static let beginReading = [
        "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
        "SET LOCAL statement_timeout = \(StoreLimits.longestRead.wholeMilliseconds)",
    ]

    /// The first number of the advisory lock that lets only one process write at a time: the letters CRLN.
    ///
    /// The lock's second number identifies the database schema.
    static let writers: Int32 = 0x4352_4c4e

    func rollBack() {
        // Ignores errors of the statements sent so far, because these statements are rolled back too.
        _ = try? handle?.endPipeline()
        guard isInsideTransaction else { return }
        if (try? handle?.run("ROLLBACK")) == nil { handle = nil }
    }

    // MARK: The session

    /// Returns the open server session, or connects again.
    ///
    /// Failed attempts to connect are repeated with growing pauses.
    ///
    /// - Parameter patience: the time for which attempts are repeated. The default is the connection's patience.
    /// - Returns: the session.
    /// - Throws: ``PostgreSQLError`` if no session could be opened in that time.
    func opened(within patience: Duration? = nil) throws -> PostgreSQLHandle {
        if let handle, handle.isOpen { return handle }
        handle = nil
        // At a process's start, `patience` is given, and the caller itself repeats the attempts.
        if patience == nil, let why = reach.failure {
            throw PostgreSQLError(state: PostgreSQLError.unreachable, description: why)
        }
        let end = ContinuousClock.now.advanced(by: patience ?? self.patience)
        var pause = 0.02
        while true {
            do {
                let made = try PostgreSQLHandle(url: url)
                handle = made
                reach.noteSuccess()
                return made
            } catch let error as PostgreSQLError {
                guard ContinuousClock.now.advanced(by: .seconds(pause)) < end else {
                    reach.noteFailure(error.description)
                    throw PostgreSQLError(state: PostgreSQLError.unreachable, description: error.description)
                }
                Thread.sleep(forTimeInterval: pause)
                pause = min(pause * 2, 1)
            }
        }
    }
}
