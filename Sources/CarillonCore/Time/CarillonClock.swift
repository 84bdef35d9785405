/// The only source of time in Carillon: services, connections, phones and the SDK take one by initialiser.
///
/// Two clocks exist: ``SystemClock`` for processes that live in real time, ``ManualClock`` for tests and for phones
/// whose days pass in milliseconds.
public protocol CarillonClock: AnyObject, Sendable {
    /// Wall time, for protocol fields and for people.
    var now: Timestamp { get }

    /// How long this clock has been running: monotonic, for measuring waits. Setting the wall time does not move it.
    /// A clock whose wall time cannot be set need not implement it.
    var uptime: Duration { get }

    /// Calls `action` once, as soon as this clock has reached `deadline`; at once (though not before this call returns)
    /// when it already has; a ``ManualClock`` then calls it in its next advance. The action must be short and must not block.
    ///
    /// - Returns: a handle whose ``ScheduledAction/cancel()`` prevents the call, if it comes before it.
    func schedule(at deadline: Timestamp, _ action: @escaping @Sendable () -> Void) -> ScheduledAction
}

extension CarillonClock {
    public var uptime: Duration { now - Timestamp(millisecondsSince1970: 0) }

    public func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> ScheduledAction {
        schedule(at: now + delay, action)
    }

    /// Suspends until this clock has reached `deadline`.
    ///
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

    public func sleep(for duration: Duration) async throws {
        try await sleep(until: now + duration)
    }
}

/// A pending call of ``CarillonClock/schedule(at:_:)``.
public struct ScheduledAction: Sendable {
    private let onCancel: @Sendable () -> Void

    public init(onCancel: @escaping @Sendable () -> Void) { self.onCancel = onCancel }

    /// Prevents the call if it has not begun; does nothing afterwards.
    public func cancel() { onCancel() }
}
