/// A search of all histories of a world up to a bound, breadth first, which plays equal states once.
///
/// A state is recognised by a hash of 64 bits. Among ten million states, two different ones have an equal hash with a chance of
/// one in 400,000; the search would then leave one of them out.
package struct Explorer<World: ExploredSystem>: Sendable {
    /// The greatest extent of a search.
    package struct Bound: Sendable, Hashable {
        /// The greatest number of steps of a history.
        package var steps: Int
        /// The number of states after which the search ends before its bound; 5,000,000 unless given.
        package var states: Int

        /// Makes a bound.
        package init(steps: Int, states: Int = 5_000_000) {
            self.steps = steps
            self.states = states
        }
    }

    private let start: World
    private let bound: Bound
    /// Whether the search also plays one of the states that count as equal to another, and compares what follows.
    private let checksMerging: Bool

    /// Makes a search.
    ///
    /// - Parameters:
    ///   - start: the beginning of all histories.
    ///   - bound: where the search ends.
    ///   - checksMerging: whether to compare the successors of states that count as equal; the default is `false`. A difference
    ///     is reported as the broken promise ``Exploration/mergingPromise``.
    package init(_ start: World, bound: Bound, checksMerging: Bool = false) {
        self.start = start
        self.bound = bound
        self.checksMerging = checksMerging
    }

    /// Plays all histories up to the bound.
    ///
    /// - Parameter goesOn: called before each state is played on, with the search so far; `false` ends the search.
    /// - Returns: what was found and how much was covered. A search that `goesOn` does not end has an equal result each time.
    package func explore(while goesOn: (Exploration<World>) -> Bool = { _ in true }) -> Exploration<World> {
        var search = Search(start, checksMerging: checksMerging)
        while search.found.depth < bound.steps, !search.frontier.isEmpty {
            guard search.playLevel(upTo: bound.states, while: goesOn) else { break }
        }
        search.found.isWhole = search.found.depth == bound.steps || search.frontier.isEmpty
        search.countHistories(bound.steps)
        return search.found
    }

    /// The state of a search.
    private struct Search {
        var found: Exploration<World>
        var frontier: [(index: Int, world: World)]
        private var others: [Int: World] = [:]
        private var indices: [Int: Int] = [:]
        /// For each state, the state before it and the number of the step that led to it.
        private var origins: [(parent: Int32, choice: Int32)] = [(-1, -1)]
        /// For each state that was played on, the states that follow.
        private var successors: [[Int32]] = []
        private let start: World
        private let checksMerging: Bool

        init(_ start: World, checksMerging: Bool) {
            found = Exploration(scenario: start.scenario)
            self.start = start
            self.checksMerging = checksMerging
            frontier = [(0, start)]
            indices[start.hashValue] = 0
            note(start.ending(), atEndOf: 0)
        }

        /// Plays all histories of the frontier one step further; returns whether it could.
        mutating func playLevel(upTo limit: Int, while goesOn: (Exploration<World>) -> Bool) -> Bool {
            var next: [(index: Int, world: World)] = []
            let level = frontier
            for (index, world) in level {
                guard origins.count < limit, goesOn(found) else { return false }
                play(world, index, &next)
            }
            others = [:]
            frontier = next
            found.depth += 1
            return true
        }

        private mutating func play(_ world: World, _ index: Int, _ next: inout [(index: Int, world: World)]) {
            let choices = world.steps
            var following: [Int32] = []
            var hashes: [Int] = []
            for (choice, step) in choices.enumerated() {
                var after = world
                let report = after.take(step)
                found.stepCount += 1
                found.reached.formUnion(report.reached)
                if !report.broken.isEmpty {
                    keep(report.broken, path(to: index) + [choice], isAtEnd: false)
                    continue
                }
                let hash = after.hashValue
                if checksMerging { hashes.append(hash) }
                if let known = indices[hash] {
                    found.mergedCount += 1
                    following.append(Int32(known))
                    if checksMerging, others[known] == nil { others[known] = after }
                    continue
                }
                let new = origins.count
                indices[hash] = new
                origins.append((Int32(index), Int32(choice)))
                following.append(Int32(new))
                if note(after.ending(), atEndOf: new) { next.append((new, after)) }
            }
            while successors.count <= index { successors.append([]) }
            successors[index] = following
            if checksMerging, let other = others.removeValue(forKey: index) { compare(other, index, choices, hashes) }
        }

        /// Compares what follows from two worlds that count as equal.
        private mutating func compare(_ other: World, _ index: Int, _ choices: [World.Step], _ hashes: [Int]) {
            found.comparedCount += 1
            let name = Exploration<World>.mergingPromise
            guard other.steps == choices else {
                let broken = BrokenPromise(name, "two states that count as equal have different steps")
                return keep([broken], path(to: index), isAtEnd: false)
            }
            var expected = hashes[...]
            for step in choices {
                var after = other
                guard after.take(step).broken.isEmpty else { continue }
                guard after.hashValue == expected.popFirst() else {
                    let broken = BrokenPromise(
                        name, "from two states that count as equal, the step \(step) leads on differently")
                    return keep([broken], path(to: index), isAtEnd: false)
                }
            }
        }

        /// Notes the ending of a state; returns whether it keeps all promises.
        @discardableResult
        private mutating func note(_ ending: StepReport, atEndOf index: Int) -> Bool {
            found.stateCount = origins.count
            found.reached.formUnion(ending.reached)
            if !ending.broken.isEmpty { keep(ending.broken, path(to: index), isAtEnd: true) }
            return ending.broken.isEmpty
        }

        /// Keeps the first history that breaks a promise, which is a shortest one.
        private mutating func keep(_ broken: [BrokenPromise], _ path: [Int], isAtEnd: Bool) {
            for promise in broken where found.counterexamples[promise.name] == nil {
                found.counterexamples[promise.name] = History(start, choices: path, promise, isAtEnd: isAtEnd)
            }
        }

        private func path(to index: Int) -> [Int] {
            var (path, index): ([Int], Int32) = ([], Int32(index))
            while index > 0 {
                path.append(Int(origins[Int(index)].choice))
                index = origins[Int(index)].parent
            }
            return path.reversed()
        }

        /// Counts the different ways through the states that were found.
        mutating func countHistories(_ steps: Int) {
            var ways = [Double](repeating: 0, count: origins.count)
            ways[0] = 1
            for _ in 0..<min(steps, found.depth + 1) {
                var further = [Double](repeating: 0, count: ways.count)
                for (index, count) in ways.enumerated() where count > 0 && index < successors.count {
                    for next in successors[index] { further[Int(next)] += count }
                }
                found.historyCount += further.reduce(0, +)
                ways = further
            }
        }
    }
}

/// The result of a search: how much it covered, and the shortest history that breaks each promise.
package struct Exploration<World: ExploredSystem>: Sendable {
    /// The name under which states that count as equal, and are not, are reported.
    package static var mergingPromise: String { "equal-states-go-on-equally" }

    /// The name of the scenario.
    package let scenario: String
    /// The number of different states.
    package internal(set) var stateCount = 0
    /// The number of steps that were taken.
    package internal(set) var stepCount = 0
    /// The number of steps that led to a state that was found before.
    package internal(set) var mergedCount = 0
    /// The number of states that count as equal to another and were played on too, to compare them.
    package internal(set) var comparedCount = 0
    /// The number of histories that go through these states, of all lengths up to the bound.
    package internal(set) var historyCount = 0.0
    /// The number of steps up to which all histories were played.
    package internal(set) var depth = 0
    /// Whether all histories up to the bound were played.
    package internal(set) var isWhole = false
    /// The names of the cases that were reached.
    package internal(set) var reached: Set<String> = []
    /// The shortest history that breaks each promise, by the promise's name.
    package internal(set) var counterexamples: [String: History<World>] = [:]
}
