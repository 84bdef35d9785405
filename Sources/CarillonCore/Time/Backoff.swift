/// The wait before the next attempt: doubled after every failure, up to a longest wait.
///
/// It is the only formula for all retries: connections to APNs, deliveries, the app's calls to the service.
/// The caller keeps the number of failures.
package struct Backoff: Sendable, Hashable {
    /// The wait after the first failure.
    package let first: Duration
    /// The longest wait.
    package let longest: Duration

    package init(first: Duration, longest: Duration) {
        self.first = first
        self.longest = longest
    }

    /// Returns the wait after so many failures in a row, without jitter.
    ///
    /// - Parameter failures: the number of failures; less than 1 counts as 1.
    /// - Returns: ``first`` to ``longest``.
    package func wait(failures: Int) -> Duration {
        // 2^30 times any sensible wait is beyond the longest, and no Duration overflows by it.
        let doublings = min(max(failures - 1, 0), 30)
        return min(first * (1 << doublings), longest)
    }

    /// Returns the wait after so many failures, spread over the second half of the step.
    ///
    /// The spread keeps parts that failed together from coming back together.
    ///
    /// - Parameters:
    ///   - failures: the number of failures; less than 1 counts as 1.
    ///   - jitter: a random number in `0..<1`.
    /// - Returns: from half of the step to just below the whole step.
    package func wait(failures: Int, jitter: Double) -> Duration {
        let step = wait(failures: failures)
        return step / 2 + (step / 2) * jitter
    }
}
