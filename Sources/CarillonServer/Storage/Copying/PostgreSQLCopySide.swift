import CarillonCore
import Foundation

/// The PostgreSQL database in a copy between database engines, as the copy's source or target.
final class PostgreSQLCopySide: CopyTarget {
    private let postgreSQL: PostgreSQLConnection

    init(_ connection: PostgreSQLConnection) { postgreSQL = connection }

    var connection: any SQLConnection { postgreSQL }

    func writing(_ body: () throws -> Void) throws { try LateFailure.unwrapped { try postgreSQL.writing(body) } }
    func reading<Value>(_ body: () throws -> Value) throws -> Value { try postgreSQL.reading(body) }

    func silence(_ tables: [CopiedTable]) throws -> [String] {
        let rows = try postgreSQL.rows(
            """
            SELECT DISTINCT CAST(event_object_table AS TEXT) AS name FROM information_schema.triggers
            WHERE event_object_schema = current_schema()
            """, [])
        return try rows.map { row in
            let name: String = try row["name"]
            try postgreSQL.execute("ALTER TABLE \(name) DISABLE TRIGGER USER", [])
            return "ALTER TABLE \(name) ENABLE TRIGGER USER"
        }
    }

    /// Inserts rows into a table.
    ///
    /// - Throws: ``ServiceError`` for a text that PostgreSQL cannot store. The error names the table and the key of the row with
    ///   this text.
    func insert(_ rows: [SQLRow], into table: CopiedTable) throws {
        for row in rows where row.values.contains(where: \.hasZero) {
            throw ServiceError(
                .text,
                """
                a text in the table \(table.name) has the character U+0000, which PostgreSQL cannot keep, in the row whose \
                \(table.key.joined(separator: ", ")) is \(table.key(of: row).values.map(\.words).joined(separator: ", "))
                """)
        }
        try postgreSQL.insert(rows.map { SQLArguments($0.values) }, into: table.name, table.columns)
    }

    /// Runs `body` in a transaction during which no other process can write to the tables.
    func holding(_ body: () throws -> Void) throws {
        try writing {
            // This session may be idle for long while the copy writes to the target.
            try postgreSQL.execute("SET LOCAL idle_in_transaction_session_timeout = 0", [])
            try postgreSQL.execute("SET LOCAL statement_timeout = 0", [])
            // Senders' heartbeats do not take the writers' lock, so their table is locked too.
            try postgreSQL.execute("LOCK TABLE senders IN SHARE MODE", [])
            try body()
        }
    }

    func setLast(_ number: Int64, of table: CopiedTable) throws {
        _ = try postgreSQL.row(
            "SELECT setval(pg_get_serial_sequence('\(table.name)', 'number'), ?, \(number > 0)) AS number",
            [max(number, 1)])
    }

    func has(_ table: String) throws -> Bool { try postgreSQL.hasTable(table) }

    /// Returns, for each table with numbered rows, the last row number that the database has given out, even if that row was
    /// deleted.
    func lastNumbers(_ tables: [CopiedTable]) throws -> [String: Int64] {
        try tables.filter(\.isNumbered).reduce(into: [:]) { numbers, table in
            let sequence = try postgreSQL.row(
                "SELECT pg_get_serial_sequence('\(table.name)', 'number') AS name", [])
            guard let name = sequence?["name"] as String? else { return }
            let row = try postgreSQL.row("SELECT last_value, is_called FROM \(name)", [])
            numbers[table.name] = row?["is_called"] == true ? row?["last_value"] ?? 0 : 0
        }
    }
}

extension SQLValue {
    /// The value in a readable form for an error message.
    fileprivate var words: String {
        switch self {
        case .null: "NULL"
        case .integer(let number): "\(number)"
        case .text(let text): "'\(text.replacingOccurrences(of: "\0", with: "\\0"))'"
        case .blob(let data): "\(data.count) bytes"
        }
    }
}
