import CarillonCore
import CarillonMessaging
import UserNotifications  // For its own `Task` initializers on a simulated phone, which track running work.

/// A closure that is called exactly once: with the first value, or at a time limit.
@MainActor final class Once<Value> {
    private var handler: ((Value) -> Void)?
    private var timer: ScheduledAction?

    /// Makes a value that waits to call a closure.
    ///
    /// - Parameter handler: called on the main thread.
    init(_ handler: @escaping (Value) -> Void) { self.handler = handler }

    /// Calls the closure with a value; does nothing if the closure was called before.
    ///
    /// - Parameter value: makes the value, if the closure is called.
    func give(_ value: @MainActor () -> Value) {
        guard let handler else { return }
        self.handler = nil
        timer?.cancel()
        handler(value())
    }

    /// Calls the closure at a time limit, unless it is called before.
    ///
    /// - Parameters:
    ///   - limit: the time limit, from now on.
    ///   - clock: the phone's clock.
    ///   - value: makes the value, if the time limit passes.
    func give(after limit: Duration, by clock: any CarillonClock, _ value: @escaping @MainActor () -> Value) {
        timer = clock.schedule(after: limit) { onMainThread { self.give(value) } }
    }
}

/// A time limit for work that may take long or never return, such as the app's own code.
@MainActor enum TimeLimit {
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
            let once = Once<Value?> { continuation.resume(returning: $0) }
            let task = Task {
                let value = await work()
                once.give { value }
            }
            once.give(after: limit, by: clock) {
                task.cancel()
                return nil
            }
        }
    }
}
