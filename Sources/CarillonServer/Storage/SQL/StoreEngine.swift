/// A database engine: connections that understand SQL, in transactions, and what shows that a process lives.
///
/// It knows nothing of what the tables mean.
package protocol StoreEngine: Sendable {
    /// Runs `body` in a transaction, which it may share with others, and returns when it is on the disk.
    ///
    /// - Parameter body: is undone as a whole when it throws. It may be run again, when what it did was undone without its
    ///   fault.
    /// - Returns: what `body` returns.
    /// - Throws: what `body` throws, and what ``GroupCommit/write(_:)`` does.
    func inTransaction<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value
    /// Runs `body` without waiting for others that write.
    ///
    /// - Parameter body: others may write beside it, so what it checks and what it changes must be one statement.
    /// - Returns: what `body` returns.
    /// - Throws: what ``inTransaction(_:)`` does.
    func besideTransactions<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value
    /// Runs `body` on what the database holds at one moment.
    func onSnapshot<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value

    /// Begins to show that this process lives, for as long as what is returned does.
    /// - Returns: `nil` where the engine has nothing by which others would know at once: then the beat tells.
    func begin(_ sender: String) throws -> (any Sendable)?
    /// Whether a sender's process is known to have ended.
    func isGone(_ sender: String) -> Bool
    /// Removes what a sender that is gone has left outside the tables.
    func forget(_ sender: String)
    /// Overwrites what was deleted, where the engine keeps copies; as far as that can be done now.
    func removeTraces() async
}
