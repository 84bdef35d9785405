/// Several parts of the app are asked the same question; their answers make one. A value: it calls nobody.
public struct CombinedAnswers<Answer: Sendable>: Sendable {
    public enum Outcome: Sendable {
        case waiting
        /// This one had answered before; the first answer counts.
        case duplicate
        /// All have answered, in the order in which they were asked.
        case complete([Answer])
    }

    private let names: [String]
    private var answers: [String: Answer] = [:]
    private var isOver = false

    /// - Parameter names: who is asked; all different.
    public init(names: [String]) { self.names = names }

    public mutating func answered(_ name: String, _ answer: Answer) -> Outcome {
        guard answers[name] == nil else { return .duplicate }
        answers[name] = answer
        guard !isOver, answers.count == names.count else { return .waiting }
        isOver = true
        return .complete(names.compactMap { answers[$0] })
    }

    /// Time is up.
    ///
    /// - Returns: the answers that came and who did not answer; `nil` when all had answered.
    public mutating func timeIsUp() -> (answers: [Answer], missing: [String])? {
        guard !isOver else { return nil }
        isOver = true
        return (names.compactMap { answers[$0] }, names.filter { answers[$0] == nil })
    }
}
