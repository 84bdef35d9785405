import Synchronization

/// An answer that an app owes the phone: the first call decides, and later calls are only counted.
final class PendingAnswer<Value: Sendable>: Sendable {
    private struct State {
        var count = 0
        var isOver = false
        var value: Value?
        var waiter: (@Sendable (Value?) -> Void)?
    }

    private let state = Mutex(State())

    /// Whether there is an answer, or none will count any more.
    var isOver: Bool { state.withLock(\.isOver) }

    /// - Returns: the number of answers so far, this one included; 1 for the one that counts. `nil` when it came after
    ///   the time was over.
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

    /// Closes the answer: no later one counts.
    func close() {
        let waiter = state.withLock { state in
            state.isOver = true
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?(nil)
    }

    /// Suspends until the first answer; `nil` when it was closed without one.
    @MainActor func wait() async -> Value? {
        await MainQueueExecutor.wait { continuation in
            let (isOver, value) = register { continuation.resume(returning: $0) }
            if isOver { continuation.resume(returning: value) }
        }
    }

    /// Calls `body` with the first answer, or with `nil` if it was closed without one.
    ///
    /// It calls at once if there is an answer already, else in a round of the main queue of its own, with the present cause.
    @MainActor func whenOver(_ body: @escaping @MainActor @Sendable (Value?) -> Void) {
        let cause = PhoneCause.current
        let (isOver, value) = register { value in
            MainQueueExecutor.nextRound { PhoneCause.$current.withValue(cause) { body(value) } }
        }
        if isOver { body(value) }
    }

    /// - Returns: whether it is over already, and the answer; then `waiter` is not called.
    private func register(_ waiter: @escaping @Sendable (Value?) -> Void) -> (isOver: Bool, value: Value?) {
        state.withLock { state in
            if !state.isOver { state.waiter = waiter }
            return (state.isOver, state.value)
        }
    }
}
