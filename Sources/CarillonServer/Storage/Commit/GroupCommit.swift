import CarillonCore
import Synchronization

/// Runs concurrent writing calls of the store in one transaction, so that they need only one fsync.
///
/// A single call commits at once. Calls that arrive while a transaction is open join it. Calls that arrive while the transaction
/// is being written to the disk wait for the next transaction. Calls take effect in the order of their arrival, except for calls
/// with `isFirst`, which go first.
///
/// If a call throws, only its own changes are rolled back. If a commit fails, all its calls fail, so that no caller is told of
/// success.
///
/// If a caller is cancelled before its call is queued, the call changes nothing. A later cancellation has no effect: the call is
/// completed, and the caller gets its result.
final class GroupCommit: Sendable {
    private let queue: any WriteQueue
    private let waiting = Mutex(WaitingCalls<WriteCall>(limit: StoreLimits.waitingWrites))
    private let clock: any CarillonClock
    private let committed: @Sendable () -> Void
    private let meter: DatabaseMeter?

    /// Makes an object that combines the writing calls of one connection.
    ///
    /// - Parameters:
    ///   - queue: the queue of the writing connection.
    ///   - clock: the clock that measures how long a transaction is open. The default is the machine's.
    ///   - meter: measures the transactions; `nil`, the default, for none.
    ///   - committed: a function to call after each commit, on the thread of the writing connection. The default does nothing.
    init(
        queue: any WriteQueue, clock: any CarillonClock = SystemClock(), meter: DatabaseMeter? = nil,
        committed: @escaping @Sendable () -> Void = {}
    ) {
        self.queue = queue
        self.clock = clock
        self.meter = meter
        self.committed = committed
    }

    /// The number of calls that wait to run in a transaction.
    var waitingCount: Int { waiting.withLock { $0.count } }

    /// Runs `body` in a transaction, and returns when the transaction is on the disk.
    ///
    /// - Parameters:
    ///   - isFirst: whether the call goes before all waiting calls, and is never refused. The default is false.
    ///   - body: a closure that makes the changes.
    /// - Returns: the value that `body` returns.
    /// - Throws: the errors of `body`; ``ServiceError`` if too many calls wait; if the commit fails, a ``ServiceError`` for a
    ///   known cause such as a full disk, otherwise the engine's error.
    func write<Value: Sendable>(
        isFirst: Bool = false, _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await write(isFirst: isFirst, beginsWithOthers: false) { connection in { try body(connection) } }
    }

    /// Runs a call in a transaction like ``write(isFirst:_:)``, where its first statements can go out with those of other calls.
    ///
    /// Such calls of one transaction may run before other calls that have waited longer.
    func writeTogether<Value: Sendable>(beginningWith begin: @escaping WriteBeginning<Value>) async throws -> Value {
        try await write(isFirst: false, beginsWithOthers: true, begin)
    }

    private func write<Value: Sendable>(
        isFirst: Bool, beginsWithOthers: Bool, _ begin: @escaping WriteBeginning<Value>
    ) async throws -> Value {
        try Task.checkCancellation()
        return try await withCheckedThrowingContinuation { continuation in
            let call = WriteCall(
                begin: { connection in
                    let work = try begin(connection)
                    return {
                        let value = try work()
                        return { continuation.resume(returning: value) }
                    }
                },
                beginsWithOthers: beginsWithOthers, fail: { continuation.resume(throwing: $0) })
            switch waiting.withLock({ $0.arrived(call, isFirst: isFirst) }) {
            case .startsGroup: startGroup()
            case .waits: break
            case .isRefused:
                call.fail(ServiceError(.busy, "\(StoreLimits.waitingWrites) calls wait for the database already"))
            }
        }
    }

    /// Starts a transaction for the waiting calls.
    ///
    /// Each transaction enters the queue of the writing connection anew, so that other work in this queue can run between two
    /// transactions.
    private func startGroup() {
        let asked = meter?.uptime ?? .zero
        meter?.writerIsAsked(at: asked)
        queue.enter { [self] connection in
            runGroup(connection, asked: asked)
            meter?.writerHasAnswered()
            if waiting.withLock({ $0.groupEnded() }) { startGroup() }
        }
    }

    private func runGroup(_ connection: any SQLConnection, asked: Duration) {
        let waitingBefore = waiting.withLock { $0.count }
        var group = CommitGroup(connection, clock)
        var moments = DatabaseMeter.Transaction(asked: asked)
        do {
            try commit(&group, connection, &moments)
            meter?.wrote(moments, failed: false)
            committed()
            group.tellResults()
        } catch {
            meter?.wrote(moments, failed: true)
            fail(group, error, waitingBefore: waitingBefore)
        }
    }

    private func fail(_ group: CommitGroup, _ error: any Error, waitingBefore: Int) {
        let error = Self.explaining(error)
        if group.isEmpty {
            // The transaction did not begin. The calls that waited for it fail now; later calls wait for the next one.
            for call in waiting.withLock({ $0.take(atMost: waitingBefore) }) { call.fail(error) }
        } else {
            group.tellFailure(error)
        }
    }

    private func commit(
        _ group: inout CommitGroup, _ connection: any SQLConnection, _ moments: inout DatabaseMeter.Transaction
    ) throws {
        var tries = 1
        while true {
            do {
                return try connection.writing {
                    if moments.began == nil { moments.began = meter?.uptime }
                    if !group.isEmpty { try group.runAgain() }
                    try runCalls(&group)
                }
            } catch is CommitGroup.NeedsSavepoints {
                continue
            } catch let failure as LateFailure {
                // With savepoints, each statement's error is that of its call, so this is an error of the commit.
                if group.hasSavepoints { throw failure.error }
                continue
            } catch let error as any EngineError where error.isPassing && tries < StoreLimits.triesPerCommit {
                tries += 1
            }
        }
    }

    /// Runs the waiting calls, and calls that arrive meanwhile, in the group's transaction.
    private func runCalls(_ group: inout CommitGroup) throws {
        while true {
            let taken = waiting.withLock { [room = group.room] in $0.take(atMost: room) }
            if taken.isEmpty { return }
            let calls = taken.filter(\.beginsWithOthers) + taken.filter { !$0.beginsWithOthers }
            var rest = calls[...]
            while let first = rest.first {
                guard rest.count == calls.count || group.room > 0 else {
                    waiting.withLock { $0.putBack(rest) }
                    return
                }
                let together = first.beginsWithOthers ? rest.prefix { $0.beginsWithOthers } : rest.prefix(1)
                let next = together.prefix(StoreLimits.callsBegunTogether)
                rest = rest.dropFirst(next.count)
                do {
                    try group.run(next)
                } catch {
                    waiting.withLock { $0.putBack(rest) }
                    throw error
                }
            }
        }
    }

    /// Returns the error that the caller of the store gets for `error`.
    ///
    /// This is ``EngineError/explanation`` if `error` has one, and otherwise `error` itself.
    static func explaining(_ error: any Error) -> any Error {
        (error as? any EngineError)?.explanation ?? error
    }
}
