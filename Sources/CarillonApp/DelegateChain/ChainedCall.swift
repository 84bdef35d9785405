import CarillonCore
import Foundation

/// One question to several links, the clock that does not wait for ever, and the one answer.
@MainActor
final class ChainedCall<Answer: Sendable> {
    private var joined: CombinedAnswers<Answer>
    private let report: @Sendable (CarillonEvent) -> Void
    private let answer: ([Answer]) -> Void
    private var alarm: ScheduledAction?

    init(
        _ names: [String], within patience: Duration, clock: any CarillonClock,
        report: @escaping @Sendable (CarillonEvent) -> Void, answer: @escaping ([Answer]) -> Void
    ) {
        joined = CombinedAnswers(names: names)
        self.report = report
        self.answer = answer
        if names.isEmpty {
            answer([])
        } else {
            alarm = clock.schedule(after: patience) { onMainThread { self.timeIsUp() } }
        }
    }

    /// The handler that the link `name` is given.
    func reply(_ name: String) -> (Answer) -> Void {
        { value in onMainThread { self.answered(name, value) } }
    }

    private func answered(_ name: String, _ value: Answer) {
        switch joined.answered(name, value) {
        case .waiting: break
        case .duplicate: report(.completionCalledTwice(name: name))
        case .complete(let answers):
            alarm?.cancel()
            answer(answers)
        }
    }

    private func timeIsUp() {
        guard let (answers, missing) = joined.timeIsUp() else { return }
        for name in missing { report(.completionLeaked(name: name)) }
        answer(answers)
    }
}
