import CarillonCore
import UserNotifications

/// An extension's requests about the installation, which follow one another with increasing numbers.
package final class RequestOrder: Sendable {
    private struct State {
        var last: Task<Void, Never>?
        var sequence: Int64 = 0
    }

    private let state = Guarded(State())

    package init() {}

    /// Makes a request when those before it have ended.
    ///
    /// - Parameters:
    ///   - sequence: the least number of the request.
    ///   - request: makes the request; its argument is the number that it has.
    package func add(_ sequence: Int64, _ request: @escaping @Sendable (Int64) async -> Void) {
        state.withLock { state in
            state.sequence = min(max(state.sequence + 1, sequence), SyncAnswer.greatestSequence)
            state.last = Task { [previous = state.last, number = state.sequence] in
                await previous?.value
                await request(number)
            }
        }
    }
}
