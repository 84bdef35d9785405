/// A database engine, SQLite or PostgreSQL: its connections, its transactions, and signals between processes.
///
/// An engine does not know the meaning of the tables. One suite of tests checks both implementations of this protocol.
package protocol StoreEngine: Sendable {
    /// Measures the engine's transactions.
    var meter: DatabaseMeter { get }
    /// The number of writing calls that wait for a transaction.
    var waitingWrites: Int { get }

    /// Runs `body` in a transaction, and returns when the transaction is on the disk.
    ///
    /// Other store calls may share the transaction.
    ///
    /// - Parameter body: a closure that makes the changes. If it throws, all its changes are rolled back. It runs again if the
    ///   engine has rolled its changes back for another reason.
    /// - Returns: the value that `body` returns.
    /// - Throws: the errors of `body` and of ``GroupCommit/write(_:)``.
    func inTransaction<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value
    /// Runs a call in a transaction like ``inTransaction(_:)``, where its first statements can go out with those of other calls.
    ///
    /// - Parameter begin: sends the statements whose results the call needs first, and returns the function that does the rest.
    /// - Returns: the value that this function returns.
    /// - Throws: the errors of ``inTransaction(_:)``.
    func inTransaction<Value: Sendable>(beginningWith begin: @escaping WriteBeginning<Value>) async throws -> Value
    /// Runs `body` in a transaction that does not wait behind other writing calls.
    ///
    /// The engine either puts the transaction before the calls that wait, or runs it on another connection.
    ///
    /// - Parameter body: a closure that makes the changes. Other calls may write at the same time, so a check and the change that
    ///   depends on it must be one statement.
    /// - Returns: the value that `body` returns.
    /// - Throws: the errors of ``inTransaction(_:)``.
    func besideTransactions<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value
    /// Runs `body`, which only reads, on a snapshot of the database.
    func onSnapshot<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value

    /// Starts a signal that shows other processes that a sender's process is running.
    ///
    /// The signal ends when the returned value is released.
    ///
    /// - Returns: a value that the caller must keep while the sender is running; `nil` if the engine has no such signal. In this
    ///   case, only the growing heartbeat counter shows that the sender is running.
    func begin(_ sender: String) throws -> (any Sendable)?
    /// Returns whether the engine knows that a sender's process has ended; false also if it cannot tell.
    func isGone(_ sender: String) -> Bool
    /// Removes the files that an ended sender has left beside the database.
    func forget(_ sender: String)
    /// Removes deleted data from the engine's log files, as far as that is possible now.
    func removeTraces() async

    /// The names of the files that the engine's upgrades have made as copies of the database, and that are still there.
    var formerCopies: [String] { get }

    /// Returns whether another process has written to the database since the last call of this function.
    ///
    /// The result is `nil` if the engine cannot tell without reading the tables.
    func wasWrittenElsewhere() async throws -> Bool?
    /// Queues an announcement to other processes and returns at once.
    ///
    /// The engine sends the announcement soon, together with other queued announcements.
    func announce(_ announcement: StoreAnnouncement)
    /// Returns a stream of the announcements that other processes make from now on.
    ///
    /// The stream ends at once if the engine cannot carry announcements.
    func announcements() -> AsyncStream<StoreAnnouncement>
}

/// Sends a store call's first statements, and returns the function that does the call's work.
///
/// Between the two, other calls that begin in this way may send their first statements, and do their work. So none of these
/// statements may read what such a call writes, and at most one statement that writes can be among them.
package typealias WriteBeginning<Value> = @Sendable (any SQLConnection) throws -> () throws -> Value

extension StoreEngine {
    package func inTransaction<Value: Sendable>(
        beginningWith begin: @escaping WriteBeginning<Value>
    ) async throws -> Value { try await inTransaction { try begin($0)() } }

    package var formerCopies: [String] { [] }
}
