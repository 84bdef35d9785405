import CarillonCore
import CarillonMessaging
import Foundation

/// One callback of iOS that a ``Carillon/DelegateChain`` has forwarded to several delegates.
///
/// Collects the delegates' answers, and answers iOS once: when all delegates have answered, or when the time limit has passed.
@MainActor
final class ForwardedCallback<Answer: Sendable> {
    private var answers: CombinedAnswers<Answer>
    private let report: @Sendable (CarillonEvent) -> Void
    private let complete: ([Answer]) -> Void
    private var timer: ScheduledAction?

    /// Begins to collect the answers of the delegates in a chain.
    ///
    /// - Parameters:
    ///   - names: the names of the delegates in the chain; if there are none, this initializer calls `complete`.
    ///   - timeLimit: the time after which `complete` is called without the missing answers.
    ///   - clock: the phone's clock.
    ///   - report: receives events about delegates that answer late, twice or never.
    ///   - complete: called once, with the answers in the order of `names`.
    init(
        _ names: [String], within timeLimit: Duration, clock: any CarillonClock,
        report: @escaping @Sendable (CarillonEvent) -> Void, complete: @escaping ([Answer]) -> Void
    ) {
        answers = CombinedAnswers(names: names)
        self.report = report
        self.complete = complete
        if names.isEmpty {
            complete([])
        } else {
            timer = clock.schedule(after: timeLimit) { onMainThread { self.timeIsUp() } }
        }
    }

    /// Returns the completion handler for the delegate `name` in the chain; it may be called on any thread.
    func handler(for name: String) -> (Answer) -> Void {
        { answer in onMainThread { self.received(answer, from: name) } }
    }

    private func received(_ answer: Answer, from name: String) {
        switch answers.received(answer, from: name) {
        case .waiting: break
        case .duplicate: report(.completionCalledTwice(name: name))
        case .complete(let answers):
            timer?.cancel()
            complete(answers)
        }
    }

    private func timeIsUp() {
        guard let (answers, missing) = answers.timeIsUp() else { return }
        for name in missing { report(.completionLeaked(name: name)) }
        complete(answers)
    }
}

/// The answers of several delegates in the chain to one callback; decides when the answers are complete.
struct CombinedAnswers<Answer: Sendable>: Sendable {
    /// The state of the callback after the answer of a delegate in the chain.
    enum Outcome: Sendable {
        /// Nothing to do: other delegates have not answered yet, or the time limit had passed before this answer.
        case waiting
        /// The delegate had already answered; its first answer counts.
        case duplicate
        /// All delegates have answered; the value contains their answers in the order of the delegates' names.
        case complete([Answer])
    }

    private let names: [String]
    private var answers: [String: Answer] = [:]
    private var isOver = false

    /// Makes the state before any delegate in the chain has answered.
    ///
    /// - Parameter names: the names of the delegates in the chain, all different.
    init(names: [String]) { self.names = names }

    mutating func received(_ answer: Answer, from name: String) -> Outcome {
        guard answers[name] == nil else { return .duplicate }
        answers[name] = answer
        guard !isOver, answers.count == names.count else { return .waiting }
        isOver = true
        return .complete(names.compactMap { answers[$0] })
    }

    /// Ends the wait for missing answers, because the time limit has passed.
    ///
    /// - Returns: the received answers, and the names of the delegates that have not answered; `nil` if all had answered.
    mutating func timeIsUp() -> (answers: [Answer], missing: [String])? {
        guard !isOver else { return nil }
        isOver = true
        return (names.compactMap { answers[$0] }, names.filter { answers[$0] == nil })
    }
}
