import CarillonCore

/// A store on a database that has transactions and understands SQL: the calls, whichever engine it is.
package protocol TransactionalStore: Store, StoreEngine {
    /// When a message is sent by ranges.
    var ranges: RangeRules { get }
    /// Pushes that were encoded before.
    var templates: PushTemplates { get }
}

extension TransactionalStore {
    /// Runs `body` in a transaction, which it may share with others, and returns when it is on the disk.
    ///
    /// - Parameters:
    ///   - now: the moment the call stands for.
    ///   - body: is undone as a whole when it throws, and nobody else's call with it. It may be run again, when what it did
    ///     was undone without its fault.
    /// - Returns: what `body` returns.
    /// - Throws: what `body` throws, and what ``StoreEngine/inTransaction(_:)`` does.
    func write<Value: Sendable>(
        at now: Timestamp, _ body: @escaping @Sendable (StoreSession) throws -> Value
    ) async throws -> Value {
        try await inTransaction { [ranges, templates] connection in
            try StoreSession.running(body, on: connection, at: now, ranges, templates)
        }
    }

    /// Runs `body` without waiting for others that write, and without a moment: a sender's beat.
    func writeBeside<Value: Sendable>(
        _ body: @escaping @Sendable (StoreSession) throws -> Value
    ) async throws -> Value {
        try await besideTransactions { [ranges, templates] connection in
            try StoreSession.running(
                body, on: connection, at: Timestamp(millisecondsSince1970: 0), ranges, templates)
        }
    }

    /// Runs `body` on what the database holds at one moment.
    func read<Value: Sendable>(
        at now: Timestamp, _ body: @escaping @Sendable (StoreSession) throws -> Value
    ) async throws -> Value {
        try await onSnapshot { [ranges] connection in
            try body(StoreSession(connection: connection, now: now, rules: ranges))
        }
    }

    /// Runs a ``write(at:_:)`` whose work grows with an audience: what the first transaction has no room for is done
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

    /// Reads what does not depend on the time.
    func read<Value: Sendable>(_ body: @escaping @Sendable (StoreSession) throws -> Value) async throws -> Value {
        try await read(at: Timestamp(millisecondsSince1970: 0), body)
    }
}
