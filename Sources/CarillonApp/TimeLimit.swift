import CarillonCore
import CarillonMessaging
import UserNotifications  // For its own `Task` initializers on a simulated phone, which track running work.

/// A time limit for work that may take long or never return, such as the app's own code.
@MainActor
enum TimeLimit {
    /// Runs `work`, and waits for its result for at most `limit`.
    ///
    /// - Parameters:
    ///   - clock: the phone's clock.
    ///   - limit: the time after which `work` is cancelled and no longer awaited.
    ///   - work: the app's code, or a download.
    /// - Returns: the result of `work`; `nil` if the time limit passed first.
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

    /// A continuation that is resumed once: with the work's result, or with `nil` at the time limit.
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
