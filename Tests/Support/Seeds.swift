import CarillonCore
import Foundation

/// The seeds of a suite's random runs: a few are fixed, the others are drawn anew for each run of the tests.
///
/// The drawn ones are printed with the command that repeats them. Add a drawn seed that failed to the fixed ones.
///
/// `CARILLON_SEED` replaces the seeds of every suite: by one, as in `7`, or by several, as in `1-20,300`. `CARILLON_SEEDS`
/// replaces them by those from 1 to the number that it gives. With `CARILLON_DRAW`, a number, the same seeds are drawn each time:
/// `.ci/run` sets it, so that a change is judged by what it changes.
package struct Seeds: Sendable {
    /// The seeds, the fixed ones first.
    package let all: [UInt64]
    /// Whether an environment variable has replaced the suite's own seeds.
    package let areAskedFor: Bool

    private let variable: String
    private let filter: String

    /// Draws the seeds of a suite.
    ///
    /// - Parameters:
    ///   - fixed: the seeds that every run plays.
    ///   - drawn: the number of further seeds.
    ///   - filter: what `swift test --filter` takes to run the suite.
    ///   - variable: the suite's own environment variable, which is read instead of `CARILLON_SEED` if it is set.
    ///   - environment: the variables of the process.
    package init(
        fixed: some Sequence<UInt64>, drawn: Int, filter: String, variable: String = "CARILLON_SEED",
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        (self.filter, self.variable) = (filter, variable)
        let text = environment[variable] ?? environment["CARILLON_SEED"]
        if let asked = text.map(Self.reading) ?? environment["CARILLON_SEEDS"].map({ Self.reading("1-\($0)") }) {
            guard !asked.isEmpty else { fatalError("\(text ?? "") is no seed: one is 7, several are 1-20,300") }
            (all, areAskedFor) = (asked, true)
            return
        }
        var chance: any RandomNumberGenerator = SystemRandomNumberGenerator()
        if let draw = environment["CARILLON_DRAW"].flatMap(UInt64.init) { chance = SeededGenerator(seed: draw) }
        var more: [UInt64] = []
        // Beyond the fixed ones, and short enough to be typed.
        while more.count < drawn { more.append(.random(in: 100_000...999_999_999, using: &chance)) }
        (all, areAskedFor) = (Array(fixed) + more, false)
        guard let first = more.first else { return }
        let list = more.map(String.init).joined(separator: ",")
        print("Drawn seeds of \(filter): \(list). The first again: \(variable)=\(first) swift test --filter \(filter)")
    }

    /// The seeds as an environment variable takes them.
    package var text: String { all.map(String.init).joined(separator: ",") }

    /// Returns two sentences for a failure: the seed, and the command that repeats it.
    package func again(_ seed: UInt64) -> String {
        "seed \(seed). Repeat it: \(variable)=\(seed) swift test --filter \(filter)"
    }

    /// Reads seeds and ranges of them, as in `1-20,300`. What is neither is left out.
    private static func reading(_ text: String) -> [UInt64] {
        text.split(separator: ",").flatMap { part -> [UInt64] in
            let bounds = part.split(separator: "-").map { UInt64($0) }
            guard let first = bounds.first ?? nil, let last = bounds.last ?? nil, first <= last, bounds.count <= 2
            else {
                return []
            }
            return Array(first...last)
        }
    }
}
