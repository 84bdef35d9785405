import CarillonCore

/// The pauses between attempts to connect: doubling, bounded, and jittered, so that many clients that lost one server
/// do not come back at one instant.
struct BackOff: Sendable {
    let shortest: Duration
    let longest: Duration
    private(set) var failures = 0
    private var generator: SeededGenerator

    init(shortest: Duration, longest: Duration, seed: UInt64) {
        self.shortest = shortest
        self.longest = longest
        generator = SeededGenerator(seed: seed)
    }

    mutating func succeeded() { failures = 0 }

    /// The pause after one more failure: between half of and the whole doubled pause.
    mutating func failed() -> Duration {
        failures += 1
        let doublings = min(failures - 1, 30)
        let whole = min(shortest * (1 << doublings), longest).wholeMilliseconds
        return .milliseconds(Int64.random(in: (whole / 2)...max(whole / 2, whole), using: &generator))
    }
}
