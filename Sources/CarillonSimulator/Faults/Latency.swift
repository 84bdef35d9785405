import Foundation

/// The time from a request to its answer, by the simulator's clock.
public enum Latency: Sendable, Hashable {
    /// Answers come at once.
    case none
    /// A constant duration between request and answer.
    case constant(Duration)
    /// A random duration, evenly distributed from the first duration through the second.
    ///
    /// If the second duration is less than the first, the result is always the first.
    case uniform(Duration, Duration)
    /// A random duration, mostly short and at times long: an exponential distribution, cut off at ten times the mean.
    case exponential(mean: Duration)

    func draw(using generator: inout some RandomNumberGenerator) -> Duration {
        switch self {
        case .none: return .zero
        case .constant(let duration): return duration
        case .uniform(let shortest, let longest):
            guard longest > shortest else { return shortest }
            return .nanoseconds(Int64.random(in: shortest.nanoseconds...longest.nanoseconds, using: &generator))
        case .exponential(let mean):
            let even = Double.random(in: Double.leastNonzeroMagnitude..<1, using: &generator)
            return min(mean * -log(even), mean * 10)
        }
    }
}

extension Duration {
    fileprivate var nanoseconds: Int64 { components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000 }
}
