import Dispatch

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
