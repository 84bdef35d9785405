import CarillonCore

/// Decides when a connection without requests ends with GOAWAY and the reason IdleTimeout.
struct IdleWatch: Sendable {
    enum Verdict: Sendable, Hashable {
        case expired
        case lookAgain(at: Timestamp)
    }

    let timeout: Duration
    private var lastActivity: Timestamp

    init(timeout: Duration, at now: Timestamp) {
        self.timeout = timeout
        lastActivity = now
    }

    var deadline: Timestamp { lastActivity + timeout }

    mutating func sawActivity(at now: Timestamp) { lastActivity = now }

    /// Returns whether the connection has been idle for too long.
    ///
    /// - Parameters:
    ///   - isBusy: whether a request waits for its answer, which counts as activity.
    ///   - now: the simulator's time.
    /// - Returns: `expired`, or the time of the next check.
    mutating func verdict(isBusy: Bool, at now: Timestamp) -> Verdict {
        if isBusy { lastActivity = now }
        return now >= deadline ? .expired : .lookAgain(at: deadline)
    }
}
