import CarillonCore
import Synchronization

/// A group commit: calls that write concurrently share one transaction, and so one fsync.
///
/// A call alone commits at once. Calls that come while a transaction is open join it; calls that come while it is being synced
/// wait for the next one. A call that throws is rolled back alone. A commit that fails fails all its calls, so that none of
/// them is told of success. Calls take effect in the order in which they came, except for those that go first.
///
/// A caller that is cancelled before its call begins changes nothing. A later cancellation has no effect: the call is
/// completed, and the caller gets the true result.
final class GroupCommit: Sendable {
    private let queue: any WriteQueue
    private let waiting = Mutex(WaitingCalls<WriteCall>(limit: StoreLimits.waitingWrites))
    private let clock: any CarillonClock
    private let committed: @Sendable () -> Void

    /// - Parameters:
    ///   - queue: the writer.
    ///   - clock: the clock that measures transactions. The default is the machine's.
    ///   - committed: called after each commit, on the writer's thread.
    init(
        queue: any WriteQueue, clock: any CarillonClock = SystemClock(), committed: @escaping @Sendable () -> Void = {}
    ) {
        self.queue = queue
        self.clock = clock
        self.committed = committed
    }

    /// The number of calls that wait for a transaction.
    var waitingCount: Int { waiting.withLock { $0.count } }

    /// Runs `body` in a transaction, and returns when it is on the disk.
    ///
    /// - Parameters:
    ///   - isFirst: whether it goes before all waiting calls. The default is that it takes its turn.
    ///   - body: the changes.
    /// - Returns: the value that `body` returns.
    /// - Throws: the errors of `body`; ``ServiceError`` if the writer is not available; the engine's error if the commit fails.
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

    /// Runs one group in each turn of the writer, so that other work that needs the writer gets its turn too.
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
            // The transaction did not begin. Calls that waited for it get the error now; later calls wait anew.
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

    /// Runs the waiting calls, and those that come meanwhile.
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

    /// Returns the explanation of an engine's error for a caller, or the error itself if there is none.
    static func explaining(_ error: any Error) -> any Error {
        (error as? any EngineError)?.explanation ?? error
    }
}
