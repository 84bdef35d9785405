import CarillonCore

/// When a request may be tried again: later after every failure.
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
    ///   - noAnswer: whether it failed for want of an answer, rather than by one.
    package mutating func failed(at phoneNow: Timestamp, noAnswer: Bool = false) {
        isForNetwork = noAnswer
        failureCount += 1
        notBefore = phoneNow + Self.backoff.wait(failures: failureCount)
    }

    package mutating func succeeded() { self = RetryState() }
}
