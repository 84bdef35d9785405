import Dispatch
import Synchronization

/// An executor that keeps a waiting task on the main queue, where the task continues without any other thread.
///
/// By default, Swift resumes a task of the main actor first on the global pool, and only then on the actor. This wakes two
/// threads: one of the pool, and then one for the main queue. On an idle machine, the two wakes cost more than the rest of a push
/// (docs/performance.md).
final class MainQueueExecutor: TaskExecutor {
    private static let shared = MainQueueExecutor()

    private init() {}

    /// Suspends until the continuation passed to `begin` is resumed, from any thread.
    @MainActor static func wait<Value: Sendable>(
        _ begin: (CheckedContinuation<Value, Never>) -> Void
    ) async -> Value {
        await withTaskExecutorPreference(shared) { await withCheckedContinuation(begin) }
    }

    /// Calls `body` on the main queue, after the blocks that are on the queue now, without binding it to an app.
    ///
    /// This file must not import the project's module UserNotifications. That module replaces `DispatchQueue.main.async` by a
    /// method that binds a block to the current app.
    static func nextRound(_ body: @escaping @MainActor @Sendable () -> Void) {
        DispatchQueue.main.async { MainActor.assumeIsolated { body() } }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        DispatchQueue.main.async {
            // Runs the job as the main actor, because the job would otherwise pass through the main queue again.
            job.runSynchronously(
                isolatedTo: MainActor.sharedUnownedExecutor, taskExecutor: Self.shared.asUnownedTaskExecutor())
        }
    }
}

/// An object that waits for rounds of the main queue.
///
/// A round runs all blocks that are on the queue when the round begins. The phone waits for several rounds after each call of
/// an app's code. To save allocations, the whole program has one instance, and the instance uses
/// one block for all rounds.
@MainActor final class MainQueueRounds {
    private nonisolated let left = Atomic<Int>(0)
    private var then: @MainActor () -> Void = {}
    /// The block that marks the end of a round of the main queue.
    ///
    /// This object adds the block to the queue at the beginning of each round. The block runs after all blocks that were already
    /// on the queue, and thereby ends the round. The property is `nonisolated(unsafe)`, because only the initializer sets it,
    /// before this object is shared.
    private nonisolated(unsafe) var round: @Sendable @convention(block) () -> Void = {}

    init() { round = { self.passed() } }

    /// Calls `then` after `count` rounds of the main queue, or immediately if `count` is 0.
    ///
    /// A round runs all blocks that are on the queue when the round begins.
    func pass(_ count: Int, then: @escaping @MainActor () -> Void) {
        guard count > 0 else { return then() }
        left.store(count, ordering: .relaxed)
        self.then = then
        DispatchQueue.main.async(execute: round)
    }

    private nonisolated func passed() {
        guard left.subtract(1, ordering: .relaxed).newValue == 0 else {
            return DispatchQueue.main.async(execute: round)
        }
        MainActor.assumeIsolated {
            let then = then
            self.then = {}
            then()
        }
    }
}
