/// The answers of several links to one callback: a value that decides when they are complete.
struct CombinedAnswers<Answer: Sendable>: Sendable {
    /// What an answer has led to.
    enum Outcome: Sendable {
        /// Others have not answered yet, or time was up before.
        case waiting
        /// This link had answered before; its first answer counts.
        case duplicate
        /// All have answered; the answers are in the order of the names.
        case complete([Answer])
    }

    private let names: [String]
    private var answers: [String: Answer] = [:]
    private var isOver = false

    /// - Parameter names: of the links; all different.
    init(names: [String]) { self.names = names }

    mutating func received(_ answer: Answer, from name: String) -> Outcome {
        guard answers[name] == nil else { return .duplicate }
        answers[name] = answer
        guard !isOver, answers.count == names.count else { return .waiting }
        isOver = true
        return .complete(names.compactMap { answers[$0] })
    }

    /// Time is up.
    ///
    /// - Returns: the answers that came and the names of those that did not answer; `nil` when all had answered.
    mutating func timeIsUp() -> (answers: [Answer], missing: [String])? {
        guard !isOver else { return nil }
        isOver = true
        return (names.compactMap { answers[$0] }, names.filter { answers[$0] == nil })
    }
}
