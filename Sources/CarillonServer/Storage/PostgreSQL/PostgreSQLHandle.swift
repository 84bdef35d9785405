import CPostgreSQL
import Foundation

/// A session with PostgreSQL and its prepared statements.
///
/// Releasing this object closes the session.
final class PostgreSQLHandle {
    /// libpq's connection.
    let handle: OpaquePointer?
    var prepared = PreparedStatements()
    /// The statements that were sent and have no answer yet.
    var unanswered: [SentStatement] = []
    /// A text that identifies the server and the timeline of its write-ahead log.
    ///
    /// The text changes when another server takes over, for example when a standby server is promoted.
    private(set) var history = ""
    /// The time at which the server's statistics began, as a text.
    ///
    /// This time changes when the server recovers from a crash, but not after an orderly restart.
    private(set) var recovered = ""
    /// The server's version number, such as 150018.
    let version: Int

    /// Connects within the `connect_timeout` of the address, or within 5 s.
    ///
    /// - Parameter url: any address that libpq accepts: `postgres://…`, or `host=… dbname=…`.
    /// - Throws: ``PostgreSQLError`` if the session cannot be opened.
    init(url: String) throws {
        let settings = [
            ("connect_timeout", "5"), ("keepalives_idle", "10"), ("keepalives_interval", "5"),
            ("keepalives_count", "3"), ("tcp_user_timeout", "30000"), ("fallback_application_name", "carillon"),
            ("target_session_attrs", "read-write"), ("dbname", url), ("client_encoding", "UTF8"),
        ]
        handle = Self.connect(settings)
        version = Int(PQserverVersion(handle))
        // All properties are set here, so `deinit` closes the connection if an error is thrown below.
        guard PQstatus(handle) == CONNECTION_OK else {
            let words = PQerrorMessage(handle).map { String(cString: $0) } ?? "no memory"
            throw PostgreSQLError(
                state: PostgreSQLError.connectionLost,
                description: words.trimmingCharacters(in: .whitespacesAndNewlines)
                    .replacingOccurrences(of: "\n", with: " "))
        }
        // Drops PostgreSQL's notices, which libpq would write to standard error.
        PQsetNoticeProcessor(handle, { _, _ in }, nil)
        history = try text(
            """
            SELECT (SELECT system_identifier FROM pg_control_system()) || ' '
                || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) AS history
            """)
        recovered = try text("SELECT coalesce(CAST(stats_reset AS TEXT), '') AS recovered FROM pg_stat_bgwriter")
    }

    deinit { PQfinish(handle) }

    private static func connect(_ settings: [(String, String)]) -> OpaquePointer? {
        let (names, values) = (settings.map { strdup($0.0) }, settings.map { strdup($0.1) })
        defer { for copy in names + values { free(copy) } }
        let keywords = names.map { $0.map { UnsafePointer($0) } } + [nil]
        let contents = values.map { $0.map { UnsafePointer($0) } } + [nil]
        return PQconnectdbParams(keywords, contents, 1)
    }

    /// Whether the session has become unusable, even if libpq still reports an open connection.
    var isBroken = false

    var isOpen: Bool { !isBroken && PQstatus(handle) == CONNECTION_OK }
    var isInTransaction: Bool { isOpen && PQtransactionStatus(handle) != PQTRANS_IDLE }
    var isSpoiled: Bool { PQtransactionStatus(handle) == PQTRANS_INERROR }

    // MARK: Statements

    /// Runs statements without question marks, separated by semicolons.
    ///
    /// - Returns: the last statement's result.
    @discardableResult
    func run(_ sql: String) throws -> PostgreSQLResult {
        try endPipeline()
        return try checked(PQexec(handle, sql))
    }

    /// Runs a statement without question marks, and returns the text in the first column of its first row.
    ///
    /// The result is empty if the statement returns no row.
    func text(_ sql: String) throws -> String {
        try endPipeline()
        let result = try checked(PQexecParams(handle, sql, 0, nil, nil, nil, nil, 1))
        return try result.rows(result.columns, limit: 1).first?.values.first.flatMap { String($0) } ?? ""
    }

    /// Runs a statement and waits for its result.
    ///
    /// The session prepares the statement when it is first run. It prepares no statements if a connection pooler runs
    /// transactions in different server sessions.
    ///
    /// - Returns: the statement's result, and the names of its columns.
    func run(_ sql: String, _ arguments: SQLArguments) throws -> (result: PostgreSQLResult, columns: [String]) {
        let answer = try ask(sql, arguments)
        try endPipeline()
        return answer.result ?? (PostgreSQLResult(nil), [])
    }

    /// Drops all prepared statements of the session if their number has reached ``StoreLimits/preparedStatements``.
    func makeRoomForStatement() throws {
        guard prepared.isFull else { return }
        try run("DEALLOCATE ALL")
        prepared.removeAll()
    }

    /// Sends rows with a statement such as `COPY … FROM STDIN`, in the format that the statement names.
    func copy(_ sql: String, _ bytes: [UInt8]) throws {
        try endPipeline()
        let begun = PostgreSQLResult(PQexec(handle, sql))
        guard begun.takesRows else { throw failure(begun) }
        let isSent = bytes.withUnsafeBytes { all in
            PQputCopyData(handle, all.assumingMemoryBound(to: CChar.self).baseAddress, Int32(clamping: all.count))
        }
        guard isSent == 1, PQputCopyEnd(handle, nil) == 1 else { throw failure(PostgreSQLResult(nil)) }
        let ended = PostgreSQLResult(PQgetResult(handle))
        while let further = PQgetResult(handle) { PQclear(further) }
        guard ended.isSuccess else { throw failure(ended) }
    }

    func checked(_ result: OpaquePointer?) throws -> PostgreSQLResult {
        let result = PostgreSQLResult(result)
        guard !result.isSuccess else { return result }
        throw failure(result)
    }

    /// Returns the error of a failed statement.
    func failure(_ result: PostgreSQLResult) -> PostgreSQLError {
        // An error without a SQLSTATE does not come from the server.
        guard isOpen, !result.state.isEmpty else {
            isBroken = true
            let words = PQerrorMessage(handle).map { String(cString: $0) } ?? ""
            let line = words.split(separator: "\n").first.map(String.init) ?? "the connection was lost"
            return PostgreSQLError(state: PostgreSQLError.connectionLost, description: line)
        }
        // The server has become a standby. Reconnecting finds the server that accepts writes, even behind a pooler.
        if result.state == PostgreSQLError.readOnly { isBroken = true }
        return PostgreSQLError(state: result.state, description: result.message)
    }
}
