import GRDB

extension SQLiteEngine {
    /// Runs `body` in a transaction while no other connection can write to the file.
    func holding<Value>(_ body: (SQLiteCopySide) throws -> Value) throws -> Value {
        try writing { side in
            try side.connection.execute("BEGIN IMMEDIATE", [])
            defer { try? side.connection.execute("ROLLBACK", []) }
            return try body(side)
        }
    }

    /// Runs `body` with the database on the writing connection, as the source or target of a copy.
    func writing<Value>(_ body: (SQLiteCopySide) throws -> Value) throws -> Value {
        try pool.writeWithoutTransaction { try body(SQLiteCopySide($0)) }
    }
}
