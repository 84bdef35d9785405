import CarillonCore
import CarillonMessaging
import Foundation

/// One callback of iOS that a ``Carillon/DelegateChain`` has forwarded to several links: collects their answers, watches the time,
/// and answers once.
@MainActor
final class ForwardedCallback<Answer: Sendable> {
    private var answers: CombinedAnswers<Answer>
    private let report: @Sendable (CarillonEvent) -> Void
    private let complete: ([Answer]) -> Void
    private var timer: ScheduledAction?

    /// - Parameters:
    ///   - names: of the links; when there are none, `complete` is called before this returns.
    ///   - timeLimit: after which `complete` is called without the answers that are missing.
    ///   - clock: the phone's.
    ///   - report: told of links that answer late, twice or never.
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

    /// The completion handler for the link `name`; it may be called on any thread.
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
