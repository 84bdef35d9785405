import CarillonCore
import CarillonMessaging
import UserNotifications  // On a simulated phone, for its own `Task`: what is under way is counted.

/// Runs work that may take long or never return, such as code of the app.
@MainActor
enum TimeLimit {
    /// Runs `work` and waits for it, at most for `limit`.
    ///
    /// - Parameters:
    ///   - clock: the phone's clock.
    ///   - limit: the time after which the work is cancelled and no longer awaited.
    ///   - work: the app's code, or a download.
    /// - Returns: the result of `work`; `nil` if its time was over.
    static func run<Value: Sendable>(
        _ clock: any CarillonClock, within limit: Duration, _ work: @escaping @MainActor () async -> Value
    ) async -> Value? {
        // Unchecked, for the reason given in `NotificationCenterClient`.
        await withUnsafeContinuation { continuation in
            let outcome = Outcome(continuation)
            let task = Task { outcome.give(await work()) }
            outcome.timer = clock.schedule(after: limit) {
                onMainThread {
                    task.cancel()
                    outcome.give(nil)
                }
            }
        }
    }

    /// Resumes once: with the work's result, or with `nil` at the end of its time.
    @MainActor
    private final class Outcome<Value: Sendable> {
        var timer: ScheduledAction?
        private var continuation: UnsafeContinuation<Value?, Never>?

        init(_ continuation: UnsafeContinuation<Value?, Never>) { self.continuation = continuation }

        func give(_ value: Value?) {
            timer?.cancel()
            continuation?.resume(returning: value)
            continuation = nil
        }
    }
}
