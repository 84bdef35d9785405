import Synchronization

/// Counts something that happens in an app, and lets a test wait for it.
final class Occurrences: Sendable {
    private struct State {
        var count = 0
        var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    var count: Int { state.withLock(\.count) }

    /// - Returns: how often it has happened, this time included.
    @discardableResult
    func happened() -> Int {
        let (count, reached) = state.withLock { state in
            state.count += 1
            let reached = state.waiting.filter { $0.count <= state.count }
            state.waiting.removeAll { $0.count <= state.count }
            return (state.count, reached)
        }
        for waiter in reached { waiter.continuation.resume() }
        return count
    }

    /// Returns when it has happened `count` times.
    func reach(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.count < count { state.waiting.append((count, continuation)) }
                return state.count >= count
            }
            if isThere { continuation.resume() }
        }
    }
}
