/// The wait before the next attempt: doubled after every failure, up to a longest wait.
///
/// All retries use this formula: connections to APNs, deliveries, and the SDK's requests to the service. The caller counts the
/// failures.
package struct Backoff: Sendable, Hashable {
    /// The wait after the first failure.
    package let first: Duration
    /// The longest wait.
    package let longest: Duration

    package init(first: Duration, longest: Duration) {
        self.first = first
        self.longest = longest
    }

    /// Returns the wait after `failures` failures in a row, without jitter.
    ///
    /// - Parameter failures: the number of failures; less than 1 counts as 1.
    /// - Returns: a wait from ``first`` to ``longest``.
    package func wait(failures: Int) -> Duration {
        // 2^30 times any sensible first wait exceeds the longest wait, and does not overflow a Duration.
        let doublings = min(max(failures - 1, 0), 30)
        return min(first * (1 << doublings), longest)
    }

    /// Returns the wait after `failures` failures in a row, with jitter over the second half of the wait.
    ///
    /// The jitter prevents senders that failed together from retrying together.
    ///
    /// - Parameters:
    ///   - failures: the number of failures; less than 1 counts as 1.
    ///   - jitter: a random number in `0..<1`.
    /// - Returns: 50 % to just under 100 % of the wait without jitter.
    package func wait(failures: Int, jitter: Double) -> Duration {
        let step = wait(failures: failures)
        return step / 2 + (step / 2) * jitter
    }
}
