import GRDB

/// Runs functions one after another on the writing connection of a GRDB pool.
struct SQLiteWriter: WriteQueue {
    let pool: DatabasePool
    /// The tables whose version the database must have; `nil` to accept any version.
    var schema: Schema?

    func enter(_ turn: @escaping @Sendable (any SQLConnection) -> Void) {
        pool.asyncWriteWithoutTransaction { [schema] in turn(SQLiteSession($0, for: schema)) }
    }
}
