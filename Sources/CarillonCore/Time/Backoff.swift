/// The wait before the next attempt: doubled after every failure, up to a longest wait.
///
/// The one formula for everything that tries again: connections to APNs, deliveries, the app's calls to the service.
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

    /// The wait after so many failures in a row, without chance.
    ///
    /// - Parameter failures: how often it has failed; less than 1 counts as 1.
    /// - Returns: ``first`` to ``longest``.
    package func wait(failures: Int) -> Duration {
        // 2^30 times any wait that makes sense is beyond the longest, and no Duration overflows by it.
        let doublings = min(max(failures - 1, 0), 30)
        return min(first * (1 << doublings), longest)
    }

    /// The wait after so many failures, spread over the second half of the step, so that what failed together does not
    /// come back together.
    ///
    /// - Parameters:
    ///   - failures: how often it has failed; less than 1 counts as 1.
    ///   - jitter: chance in `0..<1`.
    /// - Returns: half of the step to just below the whole of it.
    package func wait(failures: Int, jitter: Double) -> Duration {
        let step = wait(failures: failures)
        return step / 2 + (step / 2) * jitter
    }
}
