import CarillonCore

/// When a request may be tried again: later after every failure, and not before the service has asked for it.
///
/// Each phone adds a chance of its own, so that those that were refused together, as after a broadcast, do not come back
/// together.
///
/// It is kept in the store, so that launching the app often does not mean asking often.
package struct RetryState: Sendable, Hashable, Codable {
    private static let backoff = Backoff(first: AppLimits.firstRetryWait, longest: AppLimits.longestRetryWait)

    /// Failures since the last success.
    package private(set) var failureCount = 0
    /// The phone's clock before which there is no further attempt; `nil` after a success.
    package private(set) var notBefore: Timestamp?

    private var isForNetwork = false

    package init() {}

    /// A push has come, or the person has opened the app: if it was the network that failed, it is worth a try.
    ///
    /// A service that answered "not now" is left alone.
    package mutating func networkMayBeBack() {
        if isForNetwork { succeeded() }
    }

    package func mayTry(at phoneNow: Timestamp) -> Bool {
        guard let notBefore else { return true }
        // A phone whose clock was set back must not wait for the old time to come round.
        return phoneNow >= notBefore || notBefore - phoneNow > Self.backoff.longest
    }

    /// - Parameters:
    ///   - phoneNow: the phone's clock.
    ///   - noAnswer: whether it failed for want of an answer, rather than by one; the default is `false`.
    ///   - retryAfter: how long the service asks to be left alone; the wait is this to twice this, where that is longer than
    ///     the wait for so many failures, and an hour at most. The default is `nil`.
    ///   - jitter: chance in `0..<1`; 1, the default, is the longest wait there is for so many failures.
    package mutating func failed(
        at phoneNow: Timestamp, noAnswer: Bool = false, retryAfter: Duration? = nil, jitter: Double = 1
    ) {
        isForNetwork = noAnswer
        failureCount += 1
        var wait = Self.backoff.wait(failures: failureCount, jitter: jitter)
        if let retryAfter { wait = max(wait, retryAfter + retryAfter * jitter) }
        notBefore = phoneNow + min(wait, Self.backoff.longest)
    }

    package mutating func succeeded() { self = RetryState() }
}
