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

    /// Runs `body` with an object that copies from or to the database on the writing connection.
    func writing<Value>(_ body: (SQLiteCopySide) throws -> Value) throws -> Value {
        try pool.writeWithoutTransaction { try body(SQLiteCopySide($0)) }
    }
}
