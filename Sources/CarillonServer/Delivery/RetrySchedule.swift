import CarillonCore

/// When to try again: exponential back-off with jitter, so that what failed together does not return together.
struct RetrySchedule: Sendable {
    /// The wait after the first failure. The default is 2 s.
    var first = Duration.seconds(2)
    /// No wait is longer. Apple advises 15 minutes for a real outage. The default is 15 min.
    var longest = Duration.seconds(15 * 60)

    /// - Parameters:
    ///   - tries: how often it has been tried, 1 or more.
    ///   - jitter: chance in `0..<1`; the wait lies between half and the whole of the step.
    func wait(tries: Int, jitter: Double) -> Duration {
        let doublings = min(max(tries - 1, 0), 20)
        let step = min(first * (1 << doublings), longest)
        return step / 2 + (step / 2) * jitter
    }
}
