/// What a copy is made into: an empty database, or the unfinished copy that an interrupted run has left.
///
/// What fires for each row (the triggers) is off until the end, because its results are copied too. The statements that
/// turn it on again are in the table ``CopiedTable/unfinished``, and while that is there nobody is served.
protocol CopyTarget: AnyObject {
    var connection: any SQLConnection { get }
    /// Runs `body` in a transaction that writes.
    func writing(_ body: () throws -> Void) throws
    /// Makes a connection for reading outside of a transaction.
    func reading<Value>(_ body: () throws -> Value) throws -> Value
    /// Turns off what fires for each row; called in a transaction.
    ///
    /// - Returns: the statements that turn it on again.
    func silence(_ tables: [CopiedTable]) throws -> [String]
    /// Writes rows into a table that has none of them; called in a transaction.
    func insert(_ rows: [SQLRow], into table: CopiedTable) throws
    /// Makes `number` the last that was given to a row; called in a transaction.
    func setLast(_ number: Int64, of table: CopiedTable) throws
    /// Whether a table is there.
    func has(_ table: String) throws -> Bool
}

extension CopyTarget {
    /// Begins a copy, or goes on with one.
    ///
    /// - Throws: ``ServiceError`` where the database has something in it, and is no unfinished copy.
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

    /// Ends a copy: from now on it is a database like any other.
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
