/// One suspended task that is resumed exactly once: by its clock or by its cancellation, whichever comes first.
final class Sleeper: Sendable {
    private struct State {
        var continuation: CheckedContinuation<Void, any Error>?
        var action: ScheduledAction?
        var outcome: Result<Void, any Error>?
    }

    private let state = Guarded(State())

    /// - Returns: `false` when the sleep is over before it began; the continuation is resumed then.
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
