import Synchronization

/// The queue in which requests from all threads wait for the event loop; many that arrive together wake it once.
final class SendQueue: Sendable {
    private struct State {
        var requests: [PendingSend] = []
        var isScheduled = false
        var isClosed = false
    }

    private let state = Mutex(State())
    /// Whether the event loop may have ended: asked, and set, where nobody holds up the queue itself, for to wake a thread
    /// takes longer than all else in here.
    private let hasEnded = Mutex(false)

    /// Adds requests at the end.
    ///
    /// - Parameters:
    ///   - requests: belong to the event loop from here on.
    ///   - wake: asks the event loop, which cannot end meanwhile. If it has ended before, whoever closed the queue has the
    ///     requests.
    /// - Returns: whether they were taken: all, or none.
    func append(_ requests: some Collection<PendingSend>, wake: () -> Void) -> Bool {
        let mustWake = state.withLock { state -> Bool? in
            guard !state.isClosed else { return nil }
            state.requests += requests
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if mustWake == true { _ = unlessClosed(wake) }
        return mustWake != nil
    }

    /// Exchanges what has arrived for an empty array, whose memory is used again.
    func takeAll(into requests: inout [PendingSend]) {
        state.withLock { state in
            state.isScheduled = false
            swap(&state.requests, &requests)
        }
    }

    /// Calls `body`, unless the queue is closed; it is not closed meanwhile.
    ///
    /// - Returns: what `body` returned.
    func unlessClosed<Result>(_ body: () -> Result) -> Result? {
        hasEnded.withLock { $0 ? nil : body() }
    }

    /// Takes nothing more.
    ///
    /// - Returns: what nobody has taken yet.
    func close() -> [PendingSend] {
        let late = state.withLock { state in
            state.isClosed = true
            defer { state.requests = [] }
            return state.requests
        }
        hasEnded.withLock { $0 = true }
        return late
    }
}
