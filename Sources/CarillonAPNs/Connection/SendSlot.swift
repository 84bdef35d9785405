import Synchronization

/// Joins a task's cancellation to the request that the task makes; the cancellation may come first.
final class SendSlot: Sendable {
    private struct State {
        var request: SendRequest?
        var isCancelled = false
    }

    private let state = Mutex(State())

    func fill(_ request: SendRequest) {
        state.withLock { state in
            state.request = request
            request.isCancelled = state.isCancelled
        }
    }

    func cancel(_ loop: ClientLoop) {
        let request = state.withLock { state in
            state.isCancelled = true
            return state.request
        }
        if let request { loop.cancel(request) }
    }
}
