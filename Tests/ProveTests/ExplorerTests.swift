import CarillonProve
import Testing

/// A counter that may go up by 1 or double, up to a limit, and must never reach a forbidden number.
struct CounterSystem: ExploredSystem {
    enum Step: String, Codable, Hashable, Sendable { case add, double }

    let scenario: String
    var value = 1
    /// A value that decides what follows and is left out of the hash, as a fault would be.
    var secret = 0

    init?(scenario: String) {
        guard ["plain", "forbidden 7", "ends badly at 6", "forgets its secret"].contains(scenario) else { return nil }
        self.scenario = scenario
    }

    var steps: [Step] { value < 8 ? [.add, .double] : [] }

    mutating func take(_ step: Step) -> StepReport {
        switch step {
        case .add: value += 1
        case .double: value *= 2
        }
        if scenario == "forgets its secret", step == .double { secret += 1 }
        var report = StepReport(sentence: "The counter shows \(value + secret).", effects: ["\(value + secret)"])
        report.reached = [step.rawValue]
        if scenario == "forbidden 7", value == 7 { report.broken = [BrokenPromise("no-seven", "It shows 7.")] }
        if scenario == "forgets its secret" { value += secret }
        return report
    }

    func ending() -> StepReport {
        let isBad = scenario == "ends badly at 6" && value == 6
        return StepReport(
            sentence: "The counter rests at \(value).", effects: ["\(value)"],
            broken: isBad ? [BrokenPromise("no-six-at-rest", "It rests at 6.")] : [])
    }

    static func == (one: Self, other: Self) -> Bool { one.value == other.value }
    func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

@Suite("The search of all histories")
struct ExplorerTests {
    private func explore(_ scenario: String, _ steps: Int, states: Int = 1000, compare: Bool = false) throws
        -> Exploration<CounterSystem>
    {
        let world = try #require(CounterSystem(scenario: scenario))
        return Explorer(world, bound: .init(steps: steps, states: states), checksMerging: compare).explore()
    }

    @Test("it counts states, steps, and the histories that go through them")
    func counts() throws {
        let found = try explore("plain", 2)
        // 1 → 2 by both steps; 2 → 3 and 4.
        #expect(found.stateCount == 4 && found.stepCount == 4 && found.mergedCount == 1)
        #expect(found.historyCount == 2 + 4, "two of one step, four of two")
        #expect(found.isWhole && found.depth == 2 && found.reached == ["add", "double"])
    }

    @Test("it ends by itself when no step leads to a new state")
    func end() throws {
        let found = try explore("plain", 100)
        #expect(found.isWhole && found.depth < 20 && found.stateCount == 11)
    }

    @Test("the first history that breaks a promise is a shortest one, and none of its steps can be left out")
    func shortest() throws {
        let history = try #require(try explore("forbidden 7", 10).counterexamples["no-seven"])
        #expect(history.steps.map(\.step) == [.add, .add, .double, .add])
        for left in history.steps.indices {
            var world = try #require(CounterSystem(scenario: "forbidden 7"))
            var rest = history.steps.map(\.step)
            rest.remove(at: left)
            let isBroken = rest.contains { !world.take($0).broken.isEmpty }
            #expect(!isBroken)
        }
    }

    @Test("a promise about the end is checked in every state")
    func ending() throws {
        let history = try #require(try explore("ends badly at 6", 10).counterexamples["no-six-at-rest"])
        #expect(history.isAtEnd && history.steps.count == 3)
        #expect(
            history.story.hasSuffix(
                "\nAt last: The counter rests at 6.\nBroken: no-six-at-rest. It rests at 6."))
    }

    @Test("the same bound gives the same result")
    func repetition() throws {
        let (one, other) = (try explore("forbidden 7", 6), try explore("forbidden 7", 6))
        #expect(one.stateCount == other.stateCount && one.historyCount == other.historyCount)
        #expect(one.counterexamples["no-seven"]?.story == other.counterexamples["no-seven"]?.story)
    }

    @Test("a search that is ended, or has too many states, says how far it was whole")
    func partly() throws {
        let found = try explore("plain", 10, states: 4)
        #expect(!found.isWhole && found.depth < 10)
        let world = try #require(CounterSystem(scenario: "plain"))
        var callCount = 0
        let ended = Explorer(world, bound: .init(steps: 10)).explore { _ in
            callCount += 1
            return callCount < 3
        }
        #expect(!ended.isWhole && ended.depth == 2)
    }

    @Test("a world whose hash leaves out what decides is found, if equal states are compared")
    func merging() throws {
        let name = Exploration<CounterSystem>.mergingPromise
        #expect(try explore("forgets its secret", 4).counterexamples[name] == nil)
        #expect(try explore("forgets its secret", 4, compare: true).counterexamples[name] != nil)
        let right = try explore("plain", 4, compare: true)
        #expect(right.counterexamples.isEmpty && right.comparedCount > 0)
    }
}
