/// The target of a copy: an empty database, or the unfinished copy of an interrupted run.
///
/// The triggers are off until the end, because their results are copied too. The table ``CopiedTable/unfinished`` holds the
/// statements that turn them on again. A service does not start on a database with that table.
protocol CopyTarget: AnyObject {
    var connection: any SQLConnection { get }
    /// Runs `body` in a transaction that writes.
    func writing(_ body: () throws -> Void) throws
    /// Runs `body` with a connection that reads outside of a transaction.
    func reading<Value>(_ body: () throws -> Value) throws -> Value
    /// Turns the triggers off.
    ///
    /// It is called in a transaction.
    ///
    /// - Returns: the statements that turn the triggers on again.
    func silence(_ tables: [CopiedTable]) throws -> [String]
    /// Inserts the rows that the table lacks.
    ///
    /// It is called in a transaction.
    func insert(_ rows: [SQLRow], into table: CopiedTable) throws
    /// Sets the last row number that the table has given out.
    ///
    /// It is called in a transaction.
    func setLast(_ number: Int64, of table: CopiedTable) throws
    /// Returns whether a table exists.
    func has(_ table: String) throws -> Bool
}

extension CopyTarget {
    /// Begins a copy, or continues one.
    ///
    /// - Throws: ``ServiceError`` if the database has rows but is not an unfinished copy.
    func begin(_ tables: [CopiedTable]) throws {
        try writing {
            guard try !has(CopiedTable.unfinished) else { return }
            for table in tables where try table.lastKey(in: connection) != nil {
                throw ServiceError(
                    .storage, "the target is not empty: its table \(table.name) has rows; name an empty database")
            }
            try connection.execute(
                "CREATE TABLE \(CopiedTable.unfinished) (number BIGINT NOT NULL, statement TEXT NOT NULL)", [])
            for (number, statement) in try silence(tables).enumerated() {
                try connection.execute(
                    "INSERT INTO \(CopiedTable.unfinished) (number, statement) VALUES (?, ?)", [number, statement])
            }
        }
    }

    /// Completes a copy, so that a service can start on the database.
    func finish(_ tables: [CopiedTable], lastNumbers: [String: Int64]) throws {
        try writing {
            for table in tables where table.isNumbered { try setLast(lastNumbers[table.name] ?? 0, of: table) }
            let statements = try connection.rows(
                "SELECT statement FROM \(CopiedTable.unfinished) ORDER BY number", [])
            for row in statements { try connection.execute(row["statement"], []) }
            try connection.execute("DROP TABLE \(CopiedTable.unfinished)", [])
        }
    }
}
