import CarillonCore

/// Runs the bodies of the store's calls in transactions of a database engine, and publishes what they have changed.
///
/// Each body gets a ``StoreSession`` of its own, with the connection and the time of the call. The changes that others must learn
/// of collect in the session. They are published here after the commit, so that no caller of the store has to remember it.
struct Transactions: Sendable {
    let engine: any StoreEngine
    /// The rules that decide when the deliveries of a message are kept as bitmaps, not in one row for each device.
    let ranges: RangeRules
    /// The cache of message contents, which all calls share.
    let contents: MessageContents
    /// The answers to questions that are too costly for a writing transaction, which all calls share.
    let decisions: AudienceDecisions
    /// The apps' shares of the connections for reading.
    let costly: CostlyReads
    /// Whether the calls may make pushes due, so that senders look for pushes after a change.
    ///
    /// It is false for the calls of senders themselves, and for those about keys, the audit list and old data.
    var wakesSenders = false
    /// Receives the changes of each writing transaction after its commit.
    var publish: @Sendable (CommittedChanges) -> Void = { _ in }

    /// Runs `body` in a transaction, and returns when the transaction is on the disk.
    ///
    /// Other store calls may share the transaction.
    ///
    /// - Parameters:
    ///   - now: the time of the call.
    ///   - body: a closure that makes the changes. If it throws, its own changes are rolled back, but not those of other calls.
    ///     It runs again if the engine has rolled its changes back for another reason.
    /// - Returns: the value that `body` returns.
    /// - Throws: the errors of `body` and of ``StoreEngine/inTransaction(_:)``.
    func write<Value: Sendable>(
        at now: Timestamp, _ body: @escaping @Sendable (StoreSession) throws -> Value
    ) async throws -> Value {
        try await published(
            engine.inTransaction { connection in
                let session = session(connection, at: now)
                try FeedTable(session).foreseeOpen()
                return try StoreSession.running(body, in: session)
            })
    }

    /// Runs `body` in a transaction like ``write(at:_:)``, where its first statements can go out with those of other calls.
    ///
    /// - Parameters:
    ///   - now: the time of the call.
    ///   - foresee: sends the statements whose results `body` needs first (``SessionPart/foresee(_:)``). They must be such as
    ///     ``WriteBeginning`` allows.
    ///   - body: a closure that makes the changes.
    /// - Returns: the value that `body` returns.
    /// - Throws: the errors of ``write(at:_:)``.
    func write<Value: Sendable>(
        at now: Timestamp, foreseeing foresee: @escaping @Sendable (StoreSession) throws -> Void,
        _ body: @escaping @Sendable (StoreSession) throws -> Value
    ) async throws -> Value {
        try await published(
            engine.inTransaction(beginningWith: { connection in
                let session = session(connection, at: now)
                try FeedTable(session).foreseeOpen()
                try foresee(session)
                return { try StoreSession.running(body, in: session) }
            }))
    }

    private func session(_ connection: any SQLConnection, at now: Timestamp) -> StoreSession {
        StoreSession(
            connection: connection, now: now, rules: ranges, contents: contents, decisions: decisions, mayWrite: true)
    }

    private func published<Value>(_ written: (value: Value, changes: CommittedChanges)) -> Value {
        var (value, changes) = written
        changes.mayBeDue = changes.mayBeDue && wakesSenders
        if !changes.isEmpty { publish(changes) }
        return value
    }

    /// Runs `body`, which changes a sender's heartbeat, in a transaction that does not wait behind other writing calls.
    ///
    /// The transaction goes before the writing calls that wait, or runs on another connection. `body` must not use
    /// ``StoreSession/now``, which is not the present here, but the beginning of 1970.
    func writeBeside<Value: Sendable>(
        _ body: @escaping @Sendable (StoreSession) throws -> Value
    ) async throws -> Value {
        try await engine.besideTransactions { connection in
            try StoreSession.running(body, in: session(connection, at: Timestamp(millisecondsSince1970: 0))).value
        }
    }

    /// Runs `body`, which only reads, on a snapshot of the database.
    ///
    /// - Parameters:
    ///   - now: the time of the call.
    ///   - limit: the time after which the read is ended with an error; `nil` for a check of the whole database, which may take
    ///     as long as it needs. The default is ``StoreLimits/longestRead``.
    ///   - body: reads the snapshot.
    /// - Returns: the value that `body` returns.
    /// - Throws: the errors of `body` and of the database.
    func read<Value: Sendable>(
        at now: Timestamp, within limit: Duration? = StoreLimits.longestRead,
        _ body: @escaping @Sendable (StoreSession) throws -> Value
    ) async throws -> Value {
        let meter = engine.meter
        let asked = meter.uptime
        do {
            return try await engine.onSnapshot { [ranges] connection in
                let began = meter.uptime
                let session = StoreSession(connection: connection, now: now, rules: ranges)
                let value = try connection.within(limit, of: meter.clock) { try body(session) }
                meter.read(askedAt: asked, beganAt: began)
                return value
            }
        } catch {
            meter.failedToRead()
            throw error
        }
    }

    /// Runs `body` like ``read(at:within:_:)``, but few such reads of one app at a time, and few of all apps.
    ///
    /// Use it for reads whose cost grows with what a backend asks, so that they leave connections to all other reads.
    func costlyRead<Value: Sendable>(
        for app: AppNumber, at now: Timestamp, _ body: @escaping @Sendable (StoreSession) throws -> Value
    ) async throws -> Value {
        try await costly.run(for: app) { try await read(at: now, body) }
    }

    /// Runs `body`, which only reads and does not need the current time, on a snapshot of the database.
    func read<Value: Sendable>(_ body: @escaping @Sendable (StoreSession) throws -> Value) async throws -> Value {
        try await read(at: Timestamp(millisecondsSince1970: 0), body)
    }

    /// Runs `body` like ``write(at:_:)``, and finishes the tasks (``StepwiseWork``) that `body` begins.
    ///
    /// The tasks take as many further transactions as needed, and other calls can run between them. If the process crashes or the
    /// caller is cancelled, a sender continues the tasks.
    ///
    /// With `foresee`, the first transaction is like that of ``write(at:foreseeing:_:)``.
    ///
    /// - Returns: the value that `body` returns.
    func writeInSteps<Value: Sendable>(
        at now: Timestamp, foreseeing foresee: (@Sendable (StoreSession) throws -> Void)? = nil,
        _ body: @escaping @Sendable (StoreSession) throws -> Value
    ) async throws -> Value {
        let step: @Sendable (StoreSession) throws -> (value: Value, unfinished: [Int64]) = { session in
            (value: try body(session), unfinished: session.unfinished)
        }
        let first =
            if let foresee { try await write(at: now, foreseeing: foresee, step) } else {
                try await write(at: now, step)
            }
        var unfinished = first.unfinished
        do {
            while !unfinished.isEmpty {
                unfinished = try await write(at: now) { [unfinished] session in
                    try WorkingInSteps(session).goOn(with: unfinished)
                    return session.unfinished
                }
            }
        } catch is LateStep {
            // A sender tries the step again, and sets it aside if it is late again.
            throw ServiceError.outOfTime
        }
        return first.value
    }
}
