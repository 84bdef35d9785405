/// The only source of time in Carillon: services, connections, simulated phones and the SDK take a clock in their initialisers.
///
/// ``SystemClock`` has real time. ``ManualClock`` is for tests, and for simulated phones whose days pass in milliseconds.
public protocol CarillonClock: AnyObject, Sendable {
    /// The wall time, for protocol fields and for people.
    var now: Timestamp { get }

    /// The time for which this clock has been running: monotonic, for measuring waits.
    ///
    /// Setting the wall time does not change the uptime. The default is the time since 1970, for clocks whose wall time cannot
    /// be set.
    var uptime: Duration { get }

    /// Calls `action` once, as soon as this clock has reached `deadline`.
    ///
    /// If the deadline has already passed, the clock calls `action` immediately, but not before this method returns. In this
    /// case, a ``ManualClock`` calls it in its next advance.
    ///
    /// - Parameters:
    ///   - deadline: the time of the call, in wall time.
    ///   - action: the code to run on a thread of the clock; it must be short and must not block.
    /// - Returns: a handle whose ``ScheduledAction/cancel()`` prevents the call, unless the call has begun.
    func schedule(at deadline: Timestamp, _ action: @escaping @Sendable () -> Void) -> ScheduledAction
}

extension CarillonClock {
    /// The default for ``uptime``: the wall time since 1970.
    ///
    /// It is right only for a clock whose wall time cannot be set.
    public var uptime: Duration { now - Timestamp(millisecondsSince1970: 0) }

    /// Calls `action` once, when `delay` has passed.
    ///
    /// - Parameters:
    ///   - delay: the time from ``now`` to the call; zero or less means immediately.
    ///   - action: the code to run on a thread of the clock; it must be short and must not block.
    /// - Returns: a handle whose ``ScheduledAction/cancel()`` prevents the call, unless the call has begun.
    public func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> ScheduledAction {
        schedule(at: now + delay, action)
    }

    /// Suspends the task until this clock has reached `deadline`.
    ///
    /// - Parameter deadline: the end of the wait, in wall time. For a past deadline, the wait ends immediately, or with a
    ///   ``ManualClock`` in the next advance.
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    public func sleep(until deadline: Timestamp) async throws {
        let sleeper = Sleeper()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard sleeper.began(continuation) else { return }
                sleeper.scheduled(schedule(at: deadline) { sleeper.finish(.success(())) })
            }
        } onCancel: {
            sleeper.finish(.failure(CancellationError()))
        }
    }

    /// Suspends the task until `duration` has passed.
    ///
    /// - Parameter duration: the length of the wait, from ``now``.
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    public func sleep(for duration: Duration) async throws {
        try await sleep(until: now + duration)
    }
}

/// A pending call of ``CarillonClock/schedule(at:_:)``.
public struct ScheduledAction: Sendable {
    private let onCancel: @Sendable () -> Void

    /// Makes a handle for a scheduled call.
    ///
    /// - Parameter onCancel: the code that prevents the call; each ``cancel()`` runs it, on any thread.
    public init(onCancel: @escaping @Sendable () -> Void) { self.onCancel = onCancel }

    /// Prevents the call if it has not begun; does nothing if it has begun.
    public func cancel() { onCancel() }
}

/// Holds one suspended task and resumes it exactly once: at the deadline or when the task is cancelled, whichever comes first.
final class Sleeper: Sendable {
    private struct State {
        var continuation: CheckedContinuation<Void, any Error>?
        var action: ScheduledAction?
        var outcome: Result<Void, any Error>?
    }

    private let state = Guarded(State())

    /// Stores the continuation of the suspended task.
    ///
    /// - Returns: `false` if the deadline or the cancellation came before this call; this method has then resumed the
    ///   continuation.
    func began(_ continuation: CheckedContinuation<Void, any Error>) -> Bool {
        let early = state.withLock { state -> Result<Void, any Error>? in
            if state.outcome == nil { state.continuation = continuation }
            return state.outcome
        }
        guard let early else { return true }
        continuation.resume(with: early)
        return false
    }

    func scheduled(_ action: ScheduledAction) {
        let isOver = state.withLock { state in
            state.action = action
            return state.outcome != nil
        }
        if isOver { action.cancel() }
    }

    func finish(_ outcome: Result<Void, any Error>) {
        let (continuation, action) = state.withLock {
            state -> (CheckedContinuation<Void, any Error>?, ScheduledAction?) in
            guard state.outcome == nil else { return (nil, nil) }
            state.outcome = outcome
            defer { state.continuation = nil }
            return (state.continuation, state.action)
        }
        action?.cancel()
        continuation?.resume(with: outcome)
    }
}
