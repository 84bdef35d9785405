import Synchronization

/// The queue in which requests from all threads wait for the event loop; many that arrive together wake it once.
final class SendQueue: Sendable {
    private struct State {
        var requests: [PendingSend] = []
        var isScheduled = false
        var isClosed = false
    }

    private let state = Mutex(State())

    /// Adds requests at the end.
    ///
    /// - Parameters:
    ///   - requests: belong to the event loop from here on.
    ///   - wake: called under the lock, so that the event loop cannot have ended before it is asked.
    /// - Returns: whether they were taken: all, or none.
    func append(_ requests: some Collection<PendingSend>, wake: () -> Void) -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            state.requests += requests
            if !state.isScheduled {
                state.isScheduled = true
                wake()
            }
            return true
        }
    }

    /// Exchanges what has arrived for an empty array, whose memory is used again.
    func takeAll(into requests: inout [PendingSend]) {
        state.withLock { state in
            state.isScheduled = false
            swap(&state.requests, &requests)
        }
    }

    /// Calls `body` under the lock, unless the queue is closed.
    ///
    /// - Returns: what `body` returned.
    func unlessClosed<Result>(_ body: () -> Result) -> Result? {
        state.withLock { $0.isClosed ? nil : body() }
    }

    /// Takes nothing more.
    ///
    /// - Returns: what nobody has taken yet.
    func close() -> [PendingSend] {
        state.withLock { state in
            state.isClosed = true
            defer { state.requests = [] }
            return state.requests
        }
    }
}
