/// A connection to a database, as transactions see it: the same statements on every engine.
///
/// Statements have a question mark for each value. They keep to what the engines understand alike; what they do not is in
/// ``SQLDialect``. A connection belongs to one thread at a time.
package protocol SQLConnection: AnyObject {
    var dialect: SQLDialect { get }
    /// At least as many rows as all statements so far have inserted, changed or deleted; more where that is not known yet.
    var totalChangesCount: Int { get }
    /// Whether a transaction is open.
    var isInsideTransaction: Bool { get }
    /// Whether the open transaction takes no further statement, because one has failed.
    var isTransactionSpoiled: Bool { get }

    /// Runs a statement; it is compiled once for each connection.
    ///
    /// The engine may be told of it later, before the next result is asked for; what it says against it is thrown there.
    func execute(_ sql: String, _ arguments: SQLArguments) throws
    /// Waits until all that was executed is done.
    func awaitStatements() throws
    /// Runs a statement, and counts the rows that it has inserted, changed or deleted, without those that a trigger has.
    func changes(_ sql: String, _ arguments: SQLArguments) throws -> Int
    /// All rows that a statement returns.
    func rows(_ sql: String, _ arguments: SQLArguments) throws -> [SQLRow]
    /// The same one after the other, none of which is kept.
    func forEachRow(_ sql: String, _ arguments: SQLArguments, _ body: (any SQLColumns) throws -> Void) throws
    /// The first of them.
    func row(_ sql: String, _ arguments: SQLArguments) throws -> SQLRow?
    /// Inserts at most one row into a table with the column `number`.
    ///
    /// - Returns: its number; `nil` where an `ON CONFLICT DO NOTHING` has kept it out.
    func insert(_ sql: String, _ arguments: SQLArguments) throws -> Int64?
    /// Inserts many rows, by whatever the engine has for that.
    func insert(_ rows: [SQLArguments], into table: String, _ columns: [String]) throws
    /// Runs `body` in a transaction of its own that writes, and returns when it is on the disk.
    func writing(_ body: () throws -> Void) throws
}
