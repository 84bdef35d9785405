import GRDB
import Synchronization

/// Calls that write at the same time share one transaction, and so one fsync.
///
/// A call alone commits at once. Calls that come while a transaction is open join it; those that come while it is being
/// synced wait for the next one. A call that throws is undone alone. A commit that fails fails all its calls: none of them
/// is told that it succeeded. Calls take effect in the order in which they came.
///
/// A caller that is cancelled before its call begins changes nothing. Later its cancellation has no effect: what was asked
/// is done, and the caller gets the true result.
final class GroupCommit: Sendable {
    private let pool: DatabasePool
    private let waiting = Mutex(WaitingCalls<WriteCall>(limit: ServiceLimits.waitingWrites))
    private let committed: @Sendable () -> Void

    /// - Parameters:
    ///   - pool: whose writer it uses.
    ///   - committed: called after each commit, on the writer's queue.
    init(pool: DatabasePool, committed: @escaping @Sendable () -> Void) {
        self.pool = pool
        self.committed = committed
    }

    /// How many calls wait for a transaction.
    var waitingCount: Int { waiting.withLock { $0.count } }

    /// Runs `body` in a transaction, and returns when it is on the disk.
    ///
    /// - Throws: what `body` throws; ``ServiceError`` when the writer cannot be had; GRDB's `DatabaseError` when the
    ///   commit fails.
    func write<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try Task.checkCancellation()
        return try await withCheckedThrowingContinuation { continuation in
            let call = WriteCall(
                work: { db in
                    let value = try body(db)
                    return { continuation.resume(returning: value) }
                },
                fail: { continuation.resume(throwing: $0) })
            switch waiting.withLock({ $0.arrived(call) }) {
            case .startsGroup: startGroup()
            case .waits: break
            case .isRefused:
                call.fail(ServiceError(.busy, "\(ServiceLimits.waitingWrites) calls wait for the database already"))
            }
        }
    }

    /// One group for each turn on the writer's queue, so that what else needs the writer gets its turn too.
    private func startGroup() {
        pool.asyncWriteWithoutTransaction { [self] db in
            runGroup(db)
            if waiting.withLock({ $0.groupEnded() }) { startGroup() }
        }
    }

    private func runGroup(_ db: Database) {
        let waitingBefore = waiting.withLock { $0.count }
        var group = CommitGroup(db)
        do {
            try db.inTransaction(.immediate) {
                try runCalls(&group)
                return .commit
            }
            committed()
            group.tellResults()
        } catch  where group.isEmpty {
            // The transaction did not begin. Those who waited for it are told now; later ones get a wait of their own.
            let error = Self.explaining(error)
            for call in waiting.withLock({ $0.take(atMost: waitingBefore) }) { call.fail(error) }
        } catch {
            group.tellFailure(Self.explaining(error))
        }
    }

    /// Runs what waits, and what comes meanwhile.
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

    private static func explaining(_ error: any Error) -> any Error {
        switch (error as? DatabaseError)?.resultCode {
        case .SQLITE_BUSY?: ServiceError.databaseIsBusy
        case .SQLITE_FULL?: ServiceError.diskIsFull
        default: error
        }
    }
}
