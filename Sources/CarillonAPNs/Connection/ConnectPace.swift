import CarillonCore

/// Decides when the next attempt to connect may begin.
///
/// Two rules apply. After an attempt that was of no use, there is a pause: doubling, bounded and jittered, so that many clients
/// that lost their server do not all reconnect at once. And whatever the reason for connecting, there is a limit on the attempts
/// in a minute (``APNsLimits/connectsPerMinute``), because APNs treats connections that come and go quickly as an attack.
struct ConnectPace: Sendable {
    private let backoff: Backoff
    private(set) var failures = 0
    private var generator: SeededGenerator
    /// The end of the pause after the last useless attempt, on the monotonic clock; `nil` if there is none.
    private var pauseEnd: Timestamp?
    /// The share of the limit that is refilled with time: one attempt after each ``interval``.
    private let interval: Duration
    /// The time for which attempts in excess of the refill are allowed.
    private let tolerance: Duration
    /// The time at which all attempts so far are refilled.
    private var refilled = Timestamp(millisecondsSince1970: 0)

    init(_ limits: APNsLimits, seed: UInt64) {
        backoff = Backoff(first: limits.shortestBackoff, longest: limits.longestBackoff)
        generator = SeededGenerator(seed: seed)
        // Half of the limit at once, and the other half over the minute: never more than the limit in any minute.
        let half = max(1, limits.connectsPerMinute / 2)
        interval = .seconds(60) / half
        tolerance = interval * (half - 1)
    }

    /// The time on the monotonic clock before which no attempt may begin; a time in the past if one may begin now.
    var next: Timestamp {
        let allowed = refilled - tolerance
        return pauseEnd.map { max($0, allowed) } ?? allowed
    }

    /// Counts an attempt that begins now.
    mutating func began(at now: Timestamp) {
        pauseEnd = nil
        refilled = max(refilled, now) + interval
    }

    /// Returns the pause before the next attempt to connect, after one more attempt that was of no use.
    mutating func failed(at now: Timestamp) -> Duration {
        failures += 1
        let pause = backoff.wait(failures: failures, jitter: Double.random(in: 0..<1, using: &generator))
        pauseEnd = now + pause
        return pause
    }

    mutating func succeeded() { failures = 0 }

    /// Ends the pause, because the reason for it is gone.
    mutating func endPause() { pauseEnd = nil }
}
