import CarillonCore

/// A store on a database that has transactions and understands SQL: all calls but for what the engines do differently.
package protocol TransactionalStore: Store {
    /// Runs `body` in a transaction, which it may share with others, and returns when it is on the disk.
    ///
    /// - Parameters:
    ///   - now: the moment the call stands for.
    ///   - body: is undone as a whole when it throws, and nobody else's call with it. It may be run again, when what it did
    ///     was undone without its fault.
    /// - Returns: what `body` returns.
    /// - Throws: what `body` throws, and what ``GroupCommit/write(_:)`` does.
    func write<Value: Sendable>(
        at now: Timestamp, _ body: @escaping @Sendable (StoreSession) throws -> Value
    ) async throws -> Value
    /// The same for what must not wait for others that write, and does not depend on the time: a sender's beat.
    ///
    /// - Parameter body: others may write beside it, so what it checks and what it changes must be one statement.
    /// - Returns: what `body` returns.
    /// - Throws: what ``write(at:_:)`` does.
    func writeBeside<Value: Sendable>(
        _ body: @escaping @Sendable (StoreSession) throws -> Value
    ) async throws -> Value
    /// Runs `body` on what the database holds at one moment.
    func read<Value: Sendable>(
        at now: Timestamp, _ body: @escaping @Sendable (StoreSession) throws -> Value
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

extension TransactionalStore {
    /// The same as ``write(at:_:)`` for work that grows with an audience: what the first transaction has no room for is done
    /// in further ones.
    ///
    /// Other calls come in between. After a crash, or when the caller is cancelled, a sender goes on.
    ///
    /// - Returns: what `body` returns, and the events of all transactions.
    func writeInSteps<Value: Sendable>(
        at now: Timestamp, _ body: @escaping @Sendable (StoreSession) throws -> Value
    ) async throws -> (value: Value, events: [TimelineEvent]) {
        let first = try await write(at: now) { session in
            (value: try body(session), events: session.events, unfinished: session.unfinished)
        }
        var (events, unfinished) = (first.events, first.unfinished)
        while !unfinished.isEmpty {
            let step = try await write(at: now) { [unfinished] session in
                try Working(session).goOn(with: unfinished)
                return (events: session.events, unfinished: session.unfinished)
            }
            events += step.events
            unfinished = step.unfinished
        }
        return (first.value, events)
    }

    /// What does not depend on the time.
    func read<Value: Sendable>(_ body: @escaping @Sendable (StoreSession) throws -> Value) async throws -> Value {
        try await read(at: Timestamp(millisecondsSince1970: 0), body)
    }
}
