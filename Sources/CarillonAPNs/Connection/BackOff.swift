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

/// SplitMix64 (Steele, Lea, Flood: "Fast Splittable Pseudorandom Number Generators", 2014): small, and the same on
/// every machine.
struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
