import GRDB

extension SQLiteEngine {
    /// Runs `body` on a snapshot of the file, while no other connection can write to it.
    func holding<Value>(_ body: (SQLiteCopySide) throws -> Value) throws -> Value {
        try writing { side in
            try side.connection.execute("BEGIN IMMEDIATE", [])
            defer { try? side.connection.execute("ROLLBACK", []) }
            return try body(side)
        }
    }

    /// Runs `body` on the writing connection.
    func writing<Value>(_ body: (SQLiteCopySide) throws -> Value) throws -> Value {
        try pool.writeWithoutTransaction { try body(SQLiteCopySide($0)) }
    }
}
