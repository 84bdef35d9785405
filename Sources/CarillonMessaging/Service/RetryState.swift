import CarillonCore

/// The back-off of a request: each failure delays the next attempt further, and the service's `Retry-After` is respected.
///
/// Each phone adds a random part, so that phones that were refused together, as after a broadcast, do not retry together.
///
/// The store keeps this state, so that frequent launches do not cause frequent requests.
package struct RetryState: Sendable, Hashable, Codable {
    private static let backoff = Backoff(first: AppLimits.firstRetryWait, longest: AppLimits.longestRetryWait)

    /// The number of failures since the last success.
    package private(set) var failureCount = 0
    /// The phone's time before which no further attempt is made; `nil` after a success.
    package private(set) var notBefore: Timestamp?

    private var isForNetwork = false

    package init() {}

    /// Ends the back-off if the last request got no answer; a back-off after an answer of the service continues.
    ///
    /// Call this when a push arrives or the person opens the app: both suggest that the network is back.
    package mutating func networkMayBeBack() {
        if isForNetwork { succeeded() }
    }

    package func mayTry(at phoneNow: Timestamp) -> Bool { end(at: phoneNow) == nil }

    /// Returns the end of the back-off; `nil` if it is over.
    package func end(at phoneNow: Timestamp) -> Timestamp? {
        // A phone whose clock was set back must not wait until it reaches the old time.
        guard let notBefore, phoneNow < notBefore, notBefore - phoneNow <= Self.backoff.longest else { return nil }
        return notBefore
    }

    /// Records a failure, and sets the time of the next attempt.
    ///
    /// - Parameters:
    ///   - phoneNow: the phone's time.
    ///   - noAnswer: `true` if no answer came, `false` (the default) if the service refused the request.
    ///   - retryAfter: the wait that the service asks for; the default is `nil`. The phone waits one to two times as long, but at
    ///     least the usual wait and at most an hour.
    ///   - jitter: a random number from 0 to 1, which shortens the wait: 0 halves it, and 1, the default, leaves it whole.
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

    /// Takes over the back-off of another process, if it ends later.
    mutating func join(_ other: RetryState) {
        guard let end = other.notBefore, notBefore.map({ $0 < end }) ?? true else { return }
        self = other
    }
}
