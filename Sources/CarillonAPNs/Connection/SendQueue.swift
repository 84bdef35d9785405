import Synchronization

/// The queue in which requests from all threads wait for the event loop.
///
/// Requests that arrive together wake the loop once.
final class SendQueue: Sendable {
    private struct State {
        var requests: [PendingSend] = []
        var isScheduled = false
        var isClosed = false
    }

    private let state = Mutex(State())
    /// Whether the queue is closed for good.
    ///
    /// A closed queue must not wake the event loop, because the loop may have ended.
    ///
    /// This flag has its own lock, because waking a thread is slow and must not block the queue.
    private let hasEnded = Mutex(false)

    /// Appends requests.
    ///
    /// - Parameters:
    ///   - requests: the requests. They belong to the event loop from now on.
    ///   - wake: a closure that wakes the event loop. It is not called if the queue has been closed meanwhile; the caller of
    ///     ``close()`` then gets the requests.
    /// - Returns: whether the queue accepted the requests. It accepts all or none.
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

    /// Moves the queued requests into an empty array, and reuses the array's memory for the queue.
    func takeAll(into requests: inout [PendingSend]) {
        state.withLock { state in
            state.isScheduled = false
            swap(&state.requests, &requests)
        }
    }

    /// Calls `body`, unless the queue is closed.
    ///
    /// The queue cannot be closed during the call.
    ///
    /// - Returns: the result of `body`; `nil` if the queue is closed.
    func unlessClosed<Result>(_ body: () -> Result) -> Result? {
        hasEnded.withLock { $0 ? nil : body() }
    }

    /// Closes the queue.
    ///
    /// - Returns: the requests that the event loop has not taken yet.
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
