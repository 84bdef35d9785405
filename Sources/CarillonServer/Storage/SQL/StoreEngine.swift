/// A database engine: connections that understand SQL, transactions, and what processes notice of each other.
///
/// It knows nothing of the meaning of the tables. There is one implementation for each database; all of them pass one
/// conformance suite.
package protocol StoreEngine: Sendable {
    /// Runs `body` in a transaction, which it may share with other calls, and returns when it is on the disk.
    ///
    /// - Parameter body: the changes. If it throws, they are rolled back as a whole. It may run again if its changes were
    ///   rolled back for another reason.
    /// - Returns: the value that `body` returns.
    /// - Throws: the errors of `body` and of ``GroupCommit/write(_:)``.
    func inTransaction<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value
    /// Runs `body` without waiting for other writers.
    ///
    /// - Parameter body: the changes. Others may write concurrently, so a check and the change that depends on it must be one
    ///   statement.
    /// - Returns: the value that `body` returns.
    /// - Throws: the errors of ``inTransaction(_:)``.
    func besideTransactions<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value
    /// Runs `body` on a snapshot of the database.
    func onSnapshot<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value

    /// Begins to show that this process lives, until the returned value is released.
    ///
    /// - Returns: `nil` if the engine has no immediate sign of life, so that only the beat shows it.
    func begin(_ sender: String) throws -> (any Sendable)?
    /// Returns whether a sender's process is known to have ended.
    func isGone(_ sender: String) -> Bool
    /// Removes the files that a gone sender has left outside the tables.
    func forget(_ sender: String)
    /// Overwrites deleted data in the engine's copies, as far as that is possible now.
    func removeTraces() async

    /// Returns whether another process has written since the last call; `nil` if only the tables can tell.
    func wasWrittenElsewhere() async throws -> Bool?
    /// Sends an announcement to other processes soon, together with other pending ones, and returns at once.
    func announce(_ announcement: StoreAnnouncement)
    /// Returns the announcements of other processes from now on; the stream ends at once if the engine has none.
    func announcements() -> AsyncStream<StoreAnnouncement>
}
