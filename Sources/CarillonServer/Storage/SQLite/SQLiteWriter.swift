import GRDB

/// The writer of a pool of SQLite's connections.
struct SQLiteWriter: WriteQueue {
    let pool: DatabasePool

    func enter(_ turn: @escaping @Sendable (any SQLConnection) -> Void) {
        pool.asyncWriteWithoutTransaction { turn(SQLiteSession($0)) }
    }
}
