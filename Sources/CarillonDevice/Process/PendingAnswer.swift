import Synchronization

/// One answer that an app owes the phone: the first counts, later ones are counted.
final class PendingAnswer<Value: Sendable>: Sendable {
    private struct State {
        var count = 0
        var isOver = false
        var value: Value?
        var continuation: CheckedContinuation<Value?, Never>?
    }

    private let state = Mutex(State())

    /// - Returns: how often an answer was given, this one included; 1 for the one that counts. `nil` when it came after
    ///   the time was over.
    @discardableResult
    func give(_ value: Value) -> Int? {
        let (count, wasOver, continuation) = state.withLock { state in
            state.count += 1
            let wasOver = state.isOver && state.value == nil
            defer { state.continuation = nil }
            if !state.isOver {
                state.isOver = true
                state.value = value
            }
            return (state.count, wasOver, state.continuation)
        }
        continuation?.resume(returning: value)
        return wasOver ? nil : count
    }

    /// No answer will count any more.
    func close() {
        let continuation = state.withLock { state in
            state.isOver = true
            defer { state.continuation = nil }
            return state.continuation
        }
        continuation?.resume(returning: nil)
    }

    /// Suspends until the first answer; `nil` when it was closed without one.
    @MainActor func wait() async -> Value? {
        await MainQueueExecutor.wait { continuation in
            let (isOver, value) = state.withLock { state in
                if !state.isOver { state.continuation = continuation }
                return (state.isOver, state.value)
            }
            if isOver { continuation.resume(returning: value) }
        }
    }
}
