import Synchronization

/// An answer for which the phone waits: the app's first answer is used, and later answers are only counted.
final class PendingAnswer<Value: Sendable>: Sendable {
    private struct State {
        var count = 0
        var isOver = false
        var value: Value?
        var waiter: (@Sendable (Value?) -> Void)?
    }

    private let state = Mutex(State())

    /// Whether there is an answer, or the wait was closed without one.
    var isOver: Bool { state.withLock(\.isOver) }

    /// Gives an answer.
    ///
    /// - Returns: the number of answers so far, including this one; 1 means that this answer is used. `nil` means that the wait
    ///   was closed before any answer.
    @discardableResult
    func give(_ value: Value) -> Int? {
        let (count, wasOver, waiter) = state.withLock { state in
            state.count += 1
            let wasOver = state.isOver && state.value == nil
            defer { state.waiter = nil }
            if !state.isOver {
                state.isOver = true
                state.value = value
            }
            return (state.count, wasOver, state.waiter)
        }
        waiter?(value)
        return wasOver ? nil : count
    }

    /// Closes the wait: later answers are not used.
    func close() {
        let waiter = state.withLock { state in
            state.isOver = true
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?(nil)
    }

    /// Waits for the first answer and returns it; returns `nil` if the wait was closed without an answer.
    @MainActor func wait() async -> Value? {
        await MainQueueExecutor.wait { continuation in
            let (isOver, value) = register { continuation.resume(returning: $0) }
            if isOver { continuation.resume(returning: value) }
        }
    }

    /// Calls `body` with the first answer, or with `nil` if the wait was closed without an answer.
    ///
    /// The call is immediate if the wait is already over. Otherwise the call comes in a later block on the main queue,
    /// with the ``PhoneCause`` that was current when this method was called.
    @MainActor func whenOver(_ body: @escaping @MainActor @Sendable (Value?) -> Void) {
        let cause = PhoneCause.current
        let (isOver, value) = register { value in
            MainQueueExecutor.nextRound { PhoneCause.$current.withValue(cause) { body(value) } }
        }
        if isOver { body(value) }
    }

    /// Adds a closure that is called when the wait is over.
    ///
    /// - Returns: `isOver`, whether the wait is already over, so that `waiter` is never called; and `value`, the answer, or
    ///   `nil` if there is none.
    private func register(_ waiter: @escaping @Sendable (Value?) -> Void) -> (isOver: Bool, value: Value?) {
        state.withLock { state in
            if !state.isOver { state.waiter = waiter }
            return (state.isOver, state.value)
        }
    }
}
