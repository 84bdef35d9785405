/// The target of a copy between database engines: an empty database, or the unfinished copy of an interrupted run.
///
/// The triggers of the target are off until the copy is complete, because the copy includes the rows that they would write. The
/// table ``CopiedTable/unfinished`` stores the statements that turn the triggers on again. A service does not start on a database
/// with that table.
protocol CopyTarget: AnyObject {
    var connection: any SQLConnection { get }
    /// Runs `body` in a writing transaction on the target.
    func writing(_ body: () throws -> Void) throws
    /// Runs `body`, which only reads from the target.
    func reading<Value>(_ body: () throws -> Value) throws -> Value
    /// Turns the triggers of the tables off.
    ///
    /// The caller must call this function in a transaction.
    ///
    /// - Returns: the statements that turn the triggers on again.
    func silence(_ tables: [CopiedTable]) throws -> [String]
    /// Inserts rows into a table.
    ///
    /// The caller must call this function in a transaction.
    func insert(_ rows: [SQLRow], into table: CopiedTable) throws
    /// Makes a table give its next new row the number `number` + 1.
    ///
    /// `number` is the last row number that the source of the copy has given out in this table.
    ///
    /// The caller must call this function in a transaction.
    func setLast(_ number: Int64, of table: CopiedTable) throws
    /// Returns whether the target has a table with this name.
    func has(_ table: String) throws -> Bool
}

extension CopyTarget {
    /// Begins a copy into this database, or does nothing if the database is an unfinished copy, which the caller can continue.
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

    /// Completes a copy: sets where the tables' row numbers continue, turns the triggers on, and lets a service start on the
    /// database.
    ///
    /// `lastNumbers` has, by table name, the last row number that the source of the copy has given out.
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
