/// A connection to a database, with one set of statements for all engines.
///
/// Statements have a question mark for each value. They use only SQL with one meaning in all engines; the differences are in
/// ``SQLDialect``. A connection belongs to one thread at a time.
package protocol SQLConnection: AnyObject {
    var dialect: SQLDialect { get }
    /// An upper estimate of the number of rows that all statements so far have inserted, changed or deleted.
    var totalChangesCount: Int { get }
    /// The number of statements that were run so far.
    var statementsCount: Int { get }
    /// Whether a transaction is open.
    var isInsideTransaction: Bool { get }
    /// Whether the open transaction accepts no further statement, because one has failed.
    var isTransactionSpoiled: Bool { get }

    /// Runs a statement.
    ///
    /// It is compiled once for each connection. The engine may delay it until the next result is requested, and then throws its
    /// error.
    func execute(_ sql: String, _ arguments: SQLArguments) throws
    /// Waits until all executed statements are done.
    func awaitStatements() throws
    /// Runs a statement and returns the number of rows that it has inserted, changed or deleted.
    ///
    /// Rows changed by triggers are not counted.
    func changes(_ sql: String, _ arguments: SQLArguments) throws -> Int
    /// Runs a statement and returns all its rows.
    func rows(_ sql: String, _ arguments: SQLArguments) throws -> [SQLRow]
    /// Runs a statement and calls `body` with each row, without keeping the rows.
    func forEachRow(_ sql: String, _ arguments: SQLArguments, _ body: (any SQLColumns) throws -> Void) throws
    /// Runs a statement and returns its first row; `nil` if it has none.
    func row(_ sql: String, _ arguments: SQLArguments) throws -> SQLRow?
    /// Inserts at most one row into a table with the column `number`.
    ///
    /// - Returns: the number of the row; `nil` if `ON CONFLICT DO NOTHING` skipped the insertion.
    func insert(_ sql: String, _ arguments: SQLArguments) throws -> Int64?
    /// Inserts many rows, in the engine's fastest way.
    func insert(_ rows: [SQLArguments], into table: String, _ columns: [String]) throws
    /// Runs `body` in its own writing transaction, and returns when the transaction is on the disk.
    func writing(_ body: () throws -> Void) throws
}
