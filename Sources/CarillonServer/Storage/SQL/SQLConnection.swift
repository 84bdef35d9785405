/// A connection to a database, as transactions see it, with one set of statements for all engines.
///
/// Statements have a question mark for each value. They use only SQL that all engines understand alike; the differences are in
/// ``SQLDialect``. A connection belongs to one thread at a time.
package protocol SQLConnection: AnyObject {
    var dialect: SQLDialect { get }
    /// An upper estimate of the rows that all statements so far have inserted, changed or deleted.
    var totalChangesCount: Int { get }
    /// The number of statements that were run so far.
    var statementsCount: Int { get }
    /// Whether a transaction is open.
    var isInsideTransaction: Bool { get }
    /// Whether the open transaction takes no further statement, because one has failed.
    var isTransactionSpoiled: Bool { get }

    /// Runs a statement, which is compiled once for each connection.
    ///
    /// The engine may get it only when the next result is asked for; its error is thrown there.
    func execute(_ sql: String, _ arguments: SQLArguments) throws
    /// Waits until all executed statements are done.
    func awaitStatements() throws
    /// Runs a statement and returns the number of rows that it has inserted, changed or deleted, without those of triggers.
    func changes(_ sql: String, _ arguments: SQLArguments) throws -> Int
    /// Returns all rows of a statement.
    func rows(_ sql: String, _ arguments: SQLArguments) throws -> [SQLRow]
    /// Calls `body` with each row of a statement, without keeping them.
    func forEachRow(_ sql: String, _ arguments: SQLArguments, _ body: (any SQLColumns) throws -> Void) throws
    /// Returns the first row of a statement.
    func row(_ sql: String, _ arguments: SQLArguments) throws -> SQLRow?
    /// Inserts at most one row into a table with the column `number`.
    ///
    /// - Returns: the row's number; `nil` if `ON CONFLICT DO NOTHING` has skipped it.
    func insert(_ sql: String, _ arguments: SQLArguments) throws -> Int64?
    /// Inserts many rows, by the engine's fastest means.
    func insert(_ rows: [SQLArguments], into table: String, _ columns: [String]) throws
    /// Runs `body` in a writing transaction of its own, and returns when it is on the disk.
    func writing(_ body: () throws -> Void) throws
}
