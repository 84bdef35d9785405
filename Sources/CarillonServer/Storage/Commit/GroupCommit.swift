import CarillonCore
import Synchronization

/// Combines concurrent store calls that write into one transaction, and so into one fsync.
///
/// A single call commits at once. Calls that arrive while a transaction is open join it. Calls that arrive while the transaction
/// is being written to the disk wait for the next transaction. If a call throws, only its own changes are rolled back. If a
/// commit fails, all its calls fail, so that no caller is told of success. Calls take effect in the order of their arrival,
/// except for calls with `isFirst`, which go first.
///
/// If a caller is cancelled before its call is queued, the call changes nothing. A later cancellation has no effect: the call is
/// completed, and the caller gets the true result.
final class GroupCommit: Sendable {
    private let queue: any WriteQueue
    private let waiting = Mutex(WaitingCalls<WriteCall>(limit: StoreLimits.waitingWrites))
    private let clock: any CarillonClock
    private let committed: @Sendable () -> Void

    /// Makes an object that combines the writing calls of one connection.
    ///
    /// - Parameters:
    ///   - queue: the queue of the writing connection.
    ///   - clock: the clock that measures transactions. The default is the machine's.
    ///   - committed: a function to call after each commit, on the writer's thread. The default does nothing.
    init(
        queue: any WriteQueue, clock: any CarillonClock = SystemClock(), committed: @escaping @Sendable () -> Void = {}
    ) {
        self.queue = queue
        self.clock = clock
        self.committed = committed
    }

    /// The number of calls that wait for a transaction.
    var waitingCount: Int { waiting.withLock { $0.count } }

    /// Runs `body` in a transaction, and returns when the transaction is on the disk.
    ///
    /// - Parameters:
    ///   - isFirst: whether the call goes before all waiting calls, and is never refused. The default is false.
    ///   - body: a closure that makes the changes.
    /// - Returns: the value that `body` returns.
    /// - Throws: the errors of `body`; ``ServiceError`` if too many calls wait, or for an engine's error that has an explanation;
    ///   the engine's error if the commit fails for another reason.
    func write<Value: Sendable>(
        isFirst: Bool = false, _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        return try await withCheckedThrowingContinuation { continuation in
            let call = WriteCall(
                work: { connection in
                    let value = try body(connection)
                    return { continuation.resume(returning: value) }
                },
                fail: { continuation.resume(throwing: $0) })
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
    /// Each transaction is one entry in the queue of the writing connection, so that other work can use the connection in
    /// between.
    private func startGroup() {
        queue.enter { [self] connection in
            runGroup(connection)
            if waiting.withLock({ $0.groupEnded() }) { startGroup() }
        }
    }

    private func runGroup(_ connection: any SQLConnection) {
        let waitingBefore = waiting.withLock { $0.count }
        var group = CommitGroup(connection, clock)
        do {
            try commit(&group, connection)
            committed()
            group.tellResults()
        } catch  where group.isEmpty {
            // The transaction did not begin. The calls that waited for it fail now; later calls wait for the next one.
            let error = Self.explaining(error)
            for call in waiting.withLock({ $0.take(atMost: waitingBefore) }) { call.fail(error) }
        } catch {
            group.tellFailure(Self.explaining(error))
        }
    }

    private func commit(_ group: inout CommitGroup, _ connection: any SQLConnection) throws {
        var tries = 1
        while true {
            do {
                return try connection.writing {
                    if !group.isEmpty { try group.runAgain() }
                    try runCalls(&group)
                    try group.finish()
                }
            } catch is CommitGroup.NeedsSavepoints {
                continue
            } catch let error as any EngineError where error.isPassing && tries < StoreLimits.triesPerCommit {
                tries += 1
            }
        }
    }

    /// Runs the waiting calls, and calls that arrive meanwhile, in the group's transaction.
    private func runCalls(_ group: inout CommitGroup) throws {
        while true {
            let calls = waiting.withLock { [room = group.room] in $0.take(atMost: room) }
            if calls.isEmpty { return }
            for (index, call) in calls.enumerated() {
                guard index == 0 || group.room > 0 else {
                    waiting.withLock { $0.putBack(calls[index...]) }
                    return
                }
                do {
                    try group.run(call)
                } catch {
                    waiting.withLock { $0.putBack(calls[(index + 1)...]) }
                    throw error
                }
            }
        }
    }

    /// Returns the explanation of an engine's error, for the caller.
    ///
    /// An error of another kind, or without an explanation, is returned unchanged.
    static func explaining(_ error: any Error) -> any Error {
        (error as? any EngineError)?.explanation ?? error
    }
}
