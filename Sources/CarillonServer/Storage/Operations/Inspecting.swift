import CarillonCore

/// The findings of `carillon db check` about a database as a whole.
package struct StoreInspection: Sendable {
    /// Facts about the database as names and values, such as the versions of the engine and of the tables.
    package var facts: [(name: String, value: String)] = []
    /// The number of rows of each table.
    package var rows: [(table: String, count: Int)] = []
    /// The problems found; empty for a sound database.
    package var problems: [String] = []
}

/// Inspects a database, and finds rows that are set aside: they cannot be decoded, so the service skips them.
struct Inspecting: SessionPart {
    let session: StoreSession
    private let deliveries: DeliveriesTable
    private let work: WorkTable
    private let ranges: RangesTable
    private let chunks: ChunksTable

    init(_ session: StoreSession) {
        self.session = session
        deliveries = DeliveriesTable(session)
        work = WorkTable(session)
        ranges = RangesTable(session)
        chunks = ChunksTable(session)
    }

    // MARK: Rows that were set aside

    func health() throws -> StoreHealth {
        StoreHealth(
            setAside: try integer("SELECT count(*) FROM deliveries WHERE state = 'set-aside'")
                + integer("SELECT count(*) FROM work WHERE problem IS NOT NULL")
                + integer("SELECT count(*) FROM ranges WHERE problem IS NOT NULL")
                + integer("SELECT count(*) FROM chunks WHERE problem IS NOT NULL"))
    }

    /// Returns deliveries that are set aside: they cannot be decoded, so senders skip them until an operator acts.
    ///
    /// The oldest deliveries come first, at most `limit`.
    func setAside(limit: Int) throws -> [SetAsideDelivery] {
        try rows(
            """
            SELECT deliveries.number, messages.id, deliveries.device, deliveries.problem
            FROM deliveries LEFT JOIN messages ON messages.number = deliveries.message
            WHERE deliveries.state = 'set-aside'
            UNION ALL
            SELECT -chunks.number, messages.id, 'those from the ' || chunks.first || '. on', chunks.problem
            FROM chunks LEFT JOIN messages ON messages.number = chunks.message WHERE chunks.problem IS NOT NULL
            UNION ALL
            SELECT 0, messages.id, 'all further ones', ranges.problem
            FROM ranges LEFT JOIN messages ON messages.number = ranges.message WHERE ranges.problem IS NOT NULL
            ORDER BY 1 LIMIT ?
            """, [limit]
        ).map { row in
            SetAsideDelivery(
                number: try row["number"], message: row.text("id"), device: try row["device"],
                problem: row.text("problem") ?? "")
        }
    }

    /// Queues again all rows that are set aside.
    ///
    /// A row is set aside, and the service skips it, if it cannot be decoded. The rows are deliveries, tasks (``StepwiseWork``),
    /// messages whose deliveries are kept as bitmaps, a bit for each device (``RangeRules``), and chunks (``RangeChunk``).
    ///
    /// - Returns: the number of these rows.
    func retrySetAside() throws -> Int {
        let (rows, tasks) = (try deliveries.retrySetAside(), try work.retrySetAside())
        return rows + tasks + (try ranges.retrySetAside()) + (try chunks.retrySetAside())
    }

    // MARK: The whole database

    /// Returns the findings of a check of the whole database, which may take long.
    func inspection() throws -> StoreInspection {
        var inspection = StoreInspection()
        switch dialect.engine {
        case .sqlite: try inspectSQLite(&inspection)
        case .postgreSQL: try inspectPostgreSQL(&inspection)
        }
        try inspectCounts(&inspection)
        return inspection
    }

    func text(_ sql: String) throws -> String {
        switch try row(sql)?.values.first {
        case .text(let text): text
        case .integer(let number): "\(number)"
        default: ""
        }
    }

    func inspectSQLite(_ inspection: inout StoreInspection) throws {
        inspection.facts = [
            ("engine", "SQLite \(try text("SELECT sqlite_version() AS version"))"),
            ("tables", "version \(try integer(Schema.versionQuery))"),
            ("size", "\(try integer("PRAGMA page_count") * integer("PRAGMA page_size")) bytes"),
        ]
        let findings = try rows("PRAGMA integrity_check(20)").compactMap { $0.values.first.flatMap { String($0) } }
        if findings != ["ok"] { inspection.problems += findings }
        for row in try rows("PRAGMA foreign_key_check") {
            inspection.problems.append("a row of \(row.text("table") ?? "?") names one that is not there")
        }
        for table in try CopiedTable.all(in: connection) {
            inspection.rows.append((table.name, try table.count(in: connection)))
        }
    }

    func inspectPostgreSQL(_ inspection: inout StoreInspection) throws {
        let settings = ["server_version", "server_encoding", "synchronous_commit", "fsync", "full_page_writes"]
        let values = try settings.map { try text("SELECT current_setting('\($0)') AS setting") }
        inspection.facts = [
            ("engine", "PostgreSQL \(values[0])"),
            ("tables", "version \(try integer(Schema.versionQuery))"),
            ("size", "\(try integer("SELECT pg_database_size(current_database()) AS size")) bytes"),
        ]
        inspection.facts += zip(settings, values).dropFirst().map { (name: $0, value: $1) }
        for (name, value) in zip(settings, values).dropFirst(3) where value != "on" {
            inspection.problems.append("\(name) is \(value): a crash of the server can lose what was acknowledged")
        }
        let tables = try rows(
            """
            SELECT CAST(table_name AS TEXT) AS name FROM information_schema.tables
            WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' ORDER BY table_name
            """)
        for name in tables.compactMap({ $0.text("name") }) where name != Schema.versionTable {
            inspection.rows.append((name, try integer("SELECT count(*) AS count FROM \(name)")))
        }
    }

    /// Compares the stored counts, such as a user's unread count, with the rows that they count.
    ///
    /// The function adds each difference to the inspection's problems.
    func inspectCounts(_ inspection: inout StoreInspection) throws {
        let wrong = try integer(
            """
            SELECT count(*) AS count FROM (SELECT app, user, count(*) AS found FROM inbox
                    WHERE read IS NULL AND gone = 0 GROUP BY app, user) AS counted
                FULL JOIN unread ON unread.app = counted.app AND unread.user = counted.user
            WHERE coalesce(counted.found, 0) <> coalesce(unread.count, 0)
            """)
        if wrong > 0 { inspection.problems.append("the counts of unread messages of \(wrong) users are wrong") }
        let late = try integer(
            """
            SELECT count(*) AS count FROM apps
            WHERE next_ordinal <= (SELECT coalesce(max(ordinal), 0) FROM devices WHERE devices.app = apps.number)
            """)
        if late > 0 { inspection.problems.append("\(late) apps would give a device a place that another has") }
    }
}
