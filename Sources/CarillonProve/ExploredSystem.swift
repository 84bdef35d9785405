/// A system all of whose histories can be played: a value that knows which steps are possible, and takes one.
///
/// Equal worlds must have equal successors, because ``Explorer`` plays only one of them on. So a world contains everything that
/// decides about what follows, and neither reads a clock nor draws a random number.
package protocol ExploredSystem: Hashable, Sendable {
    associatedtype Step: Codable & Hashable & Sendable

    /// Makes the beginning of a scenario; `nil` if there is none of this name.
    init?(scenario: String)
    /// The name of the scenario.
    var scenario: String { get }
    /// The steps that are possible now, in a fixed order.
    var steps: [Step] { get }
    /// Takes one of the possible steps.
    mutating func take(_ step: Step) -> StepReport
    /// Plays what follows if nothing goes wrong any more, and checks the promises about the end.
    func ending() -> StepReport
}

/// The observable outcome of a step.
package struct StepReport: Sendable, Hashable {
    /// A sentence that tells what happened, for a reader who does not know the code.
    package var sentence: String
    /// The visible effects of the step, in order, which a replay compares.
    package var effects: [String]
    /// The promises that broke.
    package var broken: [BrokenPromise]
    /// The names of the cases that the step has reached, such as a door and the verdict at it.
    package var reached: Set<String>

    /// Makes a report.
    package init(
        sentence: String, effects: [String] = [], broken: [BrokenPromise] = [], reached: Set<String> = []
    ) {
        self.sentence = sentence
        self.effects = effects
        self.broken = broken
        self.reached = reached
    }
}

/// A promise that a history has broken.
package struct BrokenPromise: Sendable, Hashable, Codable {
    /// The promise's name, such as `recalled-is-not-given`.
    package var name: String
    /// A sentence that says how it broke.
    package var reason: String

    /// Makes a broken promise.
    package init(_ name: String, _ reason: String) {
        self.name = name
        self.reason = reason
    }
}
