import GRDB

/// The queue for the writing connection of a pool of SQLite connections.
struct SQLiteWriter: WriteQueue {
    let pool: DatabasePool
    /// The tables that the database must have; `nil` to accept any tables.
    var schema: Schema?

    func enter(_ turn: @escaping @Sendable (any SQLConnection) -> Void) {
        pool.asyncWriteWithoutTransaction { [schema] in turn(SQLiteSession($0, for: schema)) }
    }
}
