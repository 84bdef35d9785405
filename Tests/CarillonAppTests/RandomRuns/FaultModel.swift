import CarillonCore
import Foundation
import Synchronization

/// The faults of the networks of one run.
///
/// They are drawn from the run's seed and from what is sent, so that they do not depend on the order of two things that
/// happen at once.
final class FaultModel: Sendable {
    /// The frequencies of the faults: probabilities in 0...1, except for the number of seconds.
    struct NetworkConditions: Sendable {
        var losesPushes = 0.0
        var doublesPushes = 0.0
        /// Seconds by which a push may be late at most: pushes overtake one another.
        var latestPushSeconds = 0
        var losesOutcomes = 0.0
        var losesRequests = 0.0
        var losesAnswers = 0.0
        /// The probability that a request times out and still reaches the service, after newer requests.
        var delaysRequests = 0.0
        var delaysAnswers = 0.0

        static let faultless = NetworkConditions()
    }

    private let seed: UInt64
    private let conditions: Mutex<NetworkConditions>
    private let counts = Mutex<[String: Int]>([:])

    init(seed: UInt64, _ conditions: NetworkConditions) {
        self.seed = seed
        self.conditions = Mutex(conditions)
    }

    var current: NetworkConditions { conditions.withLock(\.self) }
    func change(to conditions: NetworkConditions) { self.conditions.withLock { $0 = conditions } }
    func endAll() { change(to: .faultless) }

    /// Random numbers for the next event of that name.
    func generator(_ name: String) -> SeededGenerator {
        let count = counts.withLock { counts in
            counts[name, default: 0] += 1
            return counts[name] ?? 0
        }
        let hash = "\(name)#\(count)".utf8.reduce(seed ^ 0xcbf2_9ce4_8422_2325) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01b3
        }
        return SeededGenerator(seed: hash)
    }
}

extension SeededGenerator {
    mutating func happens(_ probability: Double) -> Bool { Double.random(in: 0..<1, using: &self) < probability }
    mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<max(1, bound), using: &self) }
    mutating func one<Element>(of elements: [Element]) -> Element? { elements.randomElement(using: &self) }
}
