import CarillonCore

/// A connection to a database, with one set of functions for SQLite and PostgreSQL.
///
/// A statement has a question mark for each value. Its SQL has an equal meaning in both engines; ``SQLDialect`` provides the
/// expressions that differ between the engines. A connection belongs to one thread at a time.
package protocol SQLConnection: AnyObject {
    var dialect: SQLDialect { get }
    /// An estimate of the number of rows that all statements so far have inserted, changed or deleted.
    var totalChangesCount: Int { get }
    /// The number of statements that the connection has run so far.
    var statementsCount: Int { get }
    /// Whether a transaction is open.
    var isInsideTransaction: Bool { get }
    /// Whether the open transaction accepts no further statement, because one of its statements has failed.
    var isTransactionSpoiled: Bool { get }

    /// Runs a statement without a result.
    ///
    /// The engine may delay the statement until a later call requests a result. In this case, that later call throws the
    /// statement's error. Each connection compiles a statement only once.
    func execute(_ sql: String, _ arguments: SQLArguments) throws
    /// Waits until the engine has run all statements that ``execute(_:_:)`` has passed to it.
    func awaitStatements() throws
    /// Runs a statement and returns the number of rows that it has inserted, changed or deleted.
    ///
    /// The count excludes rows that triggers have changed.
    func changes(_ sql: String, _ arguments: SQLArguments) throws -> Int
    /// Runs a statement and returns all its rows.
    func rows(_ sql: String, _ arguments: SQLArguments) throws -> [SQLRow]
    /// Runs a statement and calls `body` with each row of its result, without collecting the rows.
    func forEachRow(_ sql: String, _ arguments: SQLArguments, _ body: (any SQLColumns) throws -> Void) throws
    /// Runs a statement and returns the first row of its result; `nil` if the result is empty.
    func row(_ sql: String, _ arguments: SQLArguments) throws -> SQLRow?
    /// Runs a statement whose rows are read later.
    ///
    /// The engine may send further statements before it waits for the result, so that several statements share one wait.
    func later(_ sql: String, _ arguments: SQLArguments) throws -> LateRows
    /// Inserts at most one row into a table with the column `number`.
    ///
    /// - Returns: the number of the row; `nil` if `ON CONFLICT DO NOTHING` skipped the insertion.
    func insert(_ sql: String, _ arguments: SQLArguments) throws -> Int64?
    /// Inserts many rows in the fastest way that the engine has.
    func insert(_ rows: [SQLArguments], into table: String, _ columns: [String]) throws
    /// Runs `body` in its own writing transaction, and returns when the transaction is on the disk.
    ///
    /// - Throws: the errors of `body` and of the commit; ``LateFailure`` for the error of a statement without a result that
    ///   `body` has not waited for.
    func writing(_ body: () throws -> Void) throws
    /// Runs `body`, and ends its statements with an error once it has run for `limit`.
    ///
    /// - Parameters:
    ///   - limit: the time; `nil` for as long as `body` needs.
    ///   - clock: the clock that measures the time.
    ///   - body: runs statements on this connection.
    /// - Returns: the value that `body` returns.
    /// - Throws: the errors of `body`; an error with ``EngineError/isOutOfTime`` after the time.
    func within<Value>(_ limit: Duration?, of clock: any CarillonClock, _ body: () throws -> Value) throws -> Value
}

extension SQLConnection {
    package func later(_ sql: String, _ arguments: SQLArguments) throws -> LateRows {
        let rows = try rows(sql, arguments)
        return LateRows { rows }
    }

    package func within<Value>(
        _ limit: Duration?, of clock: any CarillonClock, _ body: () throws -> Value
    ) throws -> Value { try body() }
}
