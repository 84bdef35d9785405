import CarillonCore

/// The pauses between attempts to connect: doubling, bounded and jittered.
///
/// The jitter prevents many clients that lost their server from reconnecting all at once.
struct ReconnectBackoff: Sendable {
    private let backoff: Backoff
    private(set) var failures = 0
    private var generator: SeededGenerator

    init(_ backoff: Backoff, seed: UInt64) {
        self.backoff = backoff
        generator = SeededGenerator(seed: seed)
    }

    mutating func succeeded() { failures = 0 }

    /// Returns the pause before the next attempt to connect, after one more failed attempt.
    mutating func failed() -> Duration {
        failures += 1
        return backoff.wait(failures: failures, jitter: Double.random(in: 0..<1, using: &generator))
    }
}
