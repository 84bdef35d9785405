import CarillonCore
import Foundation
import Synchronization

/// What the networks of one run do to what travels over them. Drawn from the run's seed and from what travels, so that
/// it does not depend on which of two things comes first.
final class FaultModel: Sendable {
    /// How bad it is; each a random in 0...1.
    struct Weather: Sendable {
        var losesPushes = 0.0
        var doublesPushes = 0.0
        /// Seconds by which a push may be late: pushes overtake one another.
        var latestPushSeconds = 0
        var losesOutcomes = 0.0
        var losesRequests = 0.0
        var losesAnswers = 0.0
        /// A request that the app has given up reaches the service all the same, later, after what was said since.
        var delaysRequests = 0.0
        var delaysAnswers = 0.0

        static let fair = Weather()
    }

    private let seed: UInt64
    private let weather: Mutex<Weather>
    private let counts = Mutex<[String: Int]>([:])

    init(seed: UInt64, _ weather: Weather) {
        self.seed = seed
        self.weather = Mutex(weather)
    }

    var current: Weather { weather.withLock(\.self) }
    func change(to weather: Weather) { self.weather.withLock { $0 = weather } }
    func clearUp() { change(to: .fair) }

    /// A source of random for the next thing of that name.
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
    mutating func happens(_ random: Double) -> Bool { Double.random(in: 0..<1, using: &self) < random }
    mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<max(1, bound), using: &self) }
    mutating func one<Element>(of elements: [Element]) -> Element? { elements.randomElement(using: &self) }
}
