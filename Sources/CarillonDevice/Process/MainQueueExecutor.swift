import Dispatch
import Synchronization

/// Keeps a waiting task on the main queue, where it is woken and continues without any other thread.
///
/// Swift resumes a continuation on the task's preferred executor, the global pool by default, and only then on its actor. For
/// a task of the main actor that wakes a thread of the pool, and then another, since the main queue has run empty meanwhile.
/// On an idle machine these two cost more than all else about a push (docs/performance.md).
final class MainQueueExecutor: TaskExecutor {
    private static let shared = MainQueueExecutor()

    private init() {}

    /// Suspends until the continuation that `begin` gets is resumed, from any thread.
    @MainActor static func wait<Value: Sendable>(
        _ begin: (CheckedContinuation<Value, Never>) -> Void
    ) async -> Value {
        await withTaskExecutorPreference(shared) { await withCheckedContinuation(begin) }
    }

    /// Calls `body` in the main queue's next round, outside of any app.
    ///
    /// In a file that imports UserNotifications, `DispatchQueue.main.async` would run it as the app whose code is running.
    static func nextRound(_ body: @escaping @MainActor @Sendable () -> Void) {
        DispatchQueue.main.async { MainActor.assumeIsolated { body() } }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        DispatchQueue.main.async {
            // Runs the job as the main actor, whose queue this is: otherwise it would pass through the queue once more.
            job.runSynchronously(
                isolatedTo: MainActor.sharedUnownedExecutor, taskExecutor: Self.shared.asUnownedTaskExecutor())
        }
    }
}

/// Waits for rounds of the main queue, for one waiter at a time.
///
/// All rounds reuse one block, because every call of an app waits for some. One instance serves the whole program.
@MainActor final class MainQueueRounds {
    private nonisolated let left = Atomic<Int>(0)
    private var then: @MainActor () -> Void = {}
    /// `unsafe`: set once, before anybody has this object.
    private nonisolated(unsafe) var round: @Sendable @convention(block) () -> Void = {}

    init() { round = { self.passed() } }

    /// Calls `then` after `count` rounds; at once for none.
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
