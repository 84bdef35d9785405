import CarillonCore
import GRDB

/// The SQLite side of a copy, as source or target.
final class SQLiteCopySide: CopyTarget {
    private let db: Database
    private var steps = 0
    let connection: any SQLConnection

    init(_ db: Database) {
        self.db = db
        connection = SQLiteSession(db, for: .current)
    }

    func writing(_ body: () throws -> Void) throws {
        try connection.writing(body)
        // Makes checkpoints now and then, because no other connection does during a copy.
        steps += 1
        if steps.isMultiple(of: StoreLimits.stepsPerCheckpoint) { try db.checkpoint(.passive) }
    }

    func reading<Value>(_ body: () throws -> Value) throws -> Value { try body() }

    func silence(_ tables: [CopiedTable]) throws -> [String] {
        let triggers = try connection.rows("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'", [])
        for row in triggers { try connection.execute("DROP TRIGGER \(row["name"] as String)", []) }
        return try triggers.map { try $0["sql"] }
    }

    func insert(_ rows: [SQLRow], into table: CopiedTable) throws {
        try connection.insert(rows.map { SQLArguments($0.values) }, into: table.name, table.columns)
    }

    func setLast(_ number: Int64, of table: CopiedTable) throws {
        // A table without AUTOINCREMENT has no entry in `sqlite_sequence`.
        guard try db.tableNumbersAreKept(table.name) else { return }
        try connection.execute("DELETE FROM sqlite_sequence WHERE name = ?", [table.name])
        try connection.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", [table.name, number])
    }

    func has(_ table: String) throws -> Bool { try db.tableExists(table) }

    /// Returns the last row number that each table has given out, even if that row was deleted.
    func lastNumbers(_ tables: [CopiedTable]) throws -> [String: Int64] {
        try tables.filter(\.isNumbered).reduce(into: [:]) { numbers, table in
            let kept = try connection.row("SELECT seq FROM sqlite_sequence WHERE name = ?", [table.name])
            let last = try connection.row("SELECT coalesce(max(number), 0) AS number FROM \(table.name)", [])
            numbers[table.name] = max(kept?["seq"] ?? 0, last?["number"] ?? 0)
        }
    }

    /// Checks the senders' lock files, to ensure that no sender uses the database.
    ///
    /// - Throws: ``ServiceError`` if a sender still runs.
    func requireNoSender(beside path: String) throws {
        let names = try connection.rows("SELECT name FROM senders WHERE ended = 0", []).map { try $0["name"] as String }
        guard names.allSatisfy({ SenderPresence.isFree($0, beside: path) }) else {
            throw ServiceError(.busy, "a service runs on the source: stop it first, all its processes")
        }
    }
}

extension Database {
    fileprivate func tableNumbersAreKept(_ table: String) throws -> Bool {
        try String.fetchOne(self, sql: "SELECT sql FROM sqlite_master WHERE name = ?", arguments: [table])?
            .contains("AUTOINCREMENT") == true
    }
}
