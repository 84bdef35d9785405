/// A database engine, SQLite or PostgreSQL: its connections, its transactions, and signals between processes.
///
/// An engine does not know the meaning of the tables. One suite of conformance tests checks both implementations.
package protocol StoreEngine: Sendable {
    /// Runs `body` in a transaction, and returns when the transaction is on the disk.
    ///
    /// Other calls may share the transaction.
    ///
    /// - Parameter body: a closure that makes the changes. If it throws, all its changes are rolled back. It may run again if the
    ///   engine rolled its changes back for another reason.
    /// - Returns: the value that `body` returns.
    /// - Throws: the errors of `body` and of ``GroupCommit/write(_:)``.
    func inTransaction<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value
    /// Runs `body` in a transaction that overtakes the waiting writing calls, or runs on another connection while they wait.
    ///
    /// - Parameter body: a closure that makes the changes. Other calls may write at the same time, so a check and the change that
    ///   depends on it must be one statement.
    /// - Returns: the value that `body` returns.
    /// - Throws: the errors of ``inTransaction(_:)``.
    func besideTransactions<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value
    /// Runs `body` on a snapshot of the database.
    func onSnapshot<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value

    /// Begins to show other processes that a sender's process lives, until the returned value is released.
    ///
    /// - Returns: a value that the caller must keep while the sender lives; `nil` if the engine has no such signal, so that only
    ///   the heartbeat counter shows that the sender lives.
    func begin(_ sender: String) throws -> (any Sendable)?
    /// Returns whether a sender's process is known to have ended.
    func isGone(_ sender: String) -> Bool
    /// Removes the files that an ended sender has left beside the database.
    func forget(_ sender: String)
    /// Removes deleted data from the engine's logs, as far as that is possible now.
    func removeTraces() async

    /// Returns whether another process has written since the last call; `nil` if the engine cannot tell without reading the
    /// tables.
    func wasWrittenElsewhere() async throws -> Bool?
    /// Queues an announcement to other processes and returns at once.
    ///
    /// The engine sends the announcement soon, together with others.
    func announce(_ announcement: StoreAnnouncement)
    /// Returns the announcements of other processes from now on.
    ///
    /// The stream ends at once if the engine has no announcements.
    func announcements() -> AsyncStream<StoreAnnouncement>
}
