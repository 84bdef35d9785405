import Dispatch
import Synchronization

/// An executor that keeps a waiting task on the main queue, where the task continues without any other thread.
///
/// Swift resumes a continuation first on the task's preferred executor, by default the global pool, and only then on its actor.
/// A task of the main actor would wake a thread of the pool, and then another one, because the main queue has meanwhile run
/// empty. On an idle machine these two wakes cost more than the rest of a push (docs/performance.md).
final class MainQueueExecutor: TaskExecutor {
    private static let shared = MainQueueExecutor()

    private init() {}

    /// Suspends until the continuation passed to `begin` is resumed, from any thread.
    @MainActor static func wait<Value: Sendable>(
        _ begin: (CheckedContinuation<Value, Never>) -> Void
    ) async -> Value {
        await withTaskExecutorPreference(shared) { await withCheckedContinuation(begin) }
    }

    /// Calls `body` in the main queue's next round, and not as code of an app.
    ///
    /// In a file that imports UserNotifications, `DispatchQueue.main.async` would run `body` as the currently running app.
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

/// A waiter for rounds of the main queue: a round lasts until the blocks that are on the queue now have run.
///
/// The rounds of one wait reuse one block, because every call of an app waits for several rounds. One instance serves the whole
/// program.
@MainActor final class MainQueueRounds {
    private nonisolated let left = Atomic<Int>(0)
    private var then: @MainActor () -> Void = {}
    /// The block that ends one round.
    ///
    /// It is `nonisolated(unsafe)`, because only the initializer sets it, before this object is shared.
    private nonisolated(unsafe) var round: @Sendable @convention(block) () -> Void = {}

    init() { round = { self.passed() } }

    /// Calls `then` after `count` rounds; immediately for 0.
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
