import CarillonCore

/// What `carillon db check` finds out about a database as a whole.
package struct StoreInspection: Sendable {
    /// What it is, such as its engine's version and the tables' version; each as a name and a value.
    package var facts: [(name: String, value: String)] = []
    /// How many rows each table has.
    package var rows: [(table: String, count: Int)] = []
    /// What is wrong; empty for a database that is sound.
    package var problems: [String] = []
}

extension TransactionalStore {
    /// Reads all of the database, which takes its time.
    package func inspection() async throws -> StoreInspection {
        try await read { transaction in
            var inspection = StoreInspection()
            switch transaction.dialect.engine {
            case .sqlite: try transaction.inspectSQLite(&inspection)
            case .postgreSQL: try transaction.inspectPostgreSQL(&inspection)
            }
            try transaction.inspectCounts(&inspection)
            return inspection
        }
    }
}

extension StoreTransaction {
    fileprivate func text(_ sql: String) throws -> String {
        switch try row(sql)?.values.first {
        case .text(let text): text
        case .integer(let number): "\(number)"
        default: ""
        }
    }

    fileprivate func inspectSQLite(_ inspection: inout StoreInspection) throws {
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

    fileprivate func inspectPostgreSQL(_ inspection: inout StoreInspection) throws {
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

    /// What is kept beside the rows must be what the rows say.
    fileprivate func inspectCounts(_ inspection: inout StoreInspection) throws {
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
