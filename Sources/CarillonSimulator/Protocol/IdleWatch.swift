import CarillonCore

/// Decides when a connection without requests ends with GOAWAY and the reason IdleTimeout.
///
/// All times are by the monotonic clock, so that setting the wall clock ends no connection.
struct IdleWatch: Sendable {
    enum Verdict: Sendable, Hashable {
        case expired
        case lookAgain(after: Duration)
    }

    let timeout: Duration
    private var lastActivity: Duration

    init(timeout: Duration, at uptime: Duration) {
        self.timeout = timeout
        lastActivity = uptime
    }

    mutating func sawActivity(at uptime: Duration) { lastActivity = uptime }

    /// Checks whether the connection has been idle for too long.
    ///
    /// - Parameters:
    ///   - isBusy: whether a request waits for its answer, which counts as activity.
    ///   - uptime: the uptime of the simulator's clock.
    /// - Returns: `expired` if the connection has been idle for too long; otherwise the time until the next check.
    mutating func verdict(isBusy: Bool, at uptime: Duration) -> Verdict {
        if isBusy { lastActivity = uptime }
        let left = lastActivity + timeout - uptime
        return left <= .zero ? .expired : .lookAgain(after: left)
    }
}
