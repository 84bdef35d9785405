import GRDB

extension SQLiteEngine {
    /// Runs `body` in a transaction, and then rolls the transaction back.
    ///
    /// Until then, no other connection can write to the file.
    func holding<Value>(_ body: (SQLiteCopySide) throws -> Value) throws -> Value {
        try writing { side in
            try side.connection.execute("BEGIN IMMEDIATE", [])
            defer { try? side.connection.execute("ROLLBACK", []) }
            return try body(side)
        }
    }

    /// Runs `body` on the writing connection, with the database as the source or target of a copy.
    func writing<Value>(_ body: (SQLiteCopySide) throws -> Value) throws -> Value {
        try pool.writeWithoutTransaction { try body(SQLiteCopySide($0)) }
    }
}
