import Synchronization

/// An answer for which the phone waits: only the app's first answer counts, but the phone counts later answers too.
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
    /// - Returns: the number of answers so far, including this one; 1 means that this answer counts. `nil` if the time was
    ///   already over.
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

    /// Closes the wait: later answers do not count.
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
    /// The call is immediate if the wait is already over. Otherwise it comes in a separate round of the main queue, with the
    /// ``PhoneCause`` that is current now.
    @MainActor func whenOver(_ body: @escaping @MainActor @Sendable (Value?) -> Void) {
        let cause = PhoneCause.current
        let (isOver, value) = register { value in
            MainQueueExecutor.nextRound { PhoneCause.$current.withValue(cause) { body(value) } }
        }
        if isOver { body(value) }
    }

    /// Adds a waiter.
    ///
    /// - Returns: whether the wait is already over, and the answer; in that case `waiter` is not called.
    private func register(_ waiter: @escaping @Sendable (Value?) -> Void) -> (isOver: Bool, value: Value?) {
        state.withLock { state in
            if !state.isOver { state.waiter = waiter }
            return (state.isOver, state.value)
        }
    }
}
