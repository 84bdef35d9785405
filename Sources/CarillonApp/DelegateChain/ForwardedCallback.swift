import CarillonCore
import CarillonMessaging
import Foundation

/// One callback of iOS that a ``Carillon/DelegateChain`` has forwarded to several delegates.
///
/// Collects the delegates' answers, and answers iOS once: when all delegates have answered, or when the time limit has passed.
@MainActor
final class ForwardedCallback<Answer: Sendable> {
    private let names: [String]
    private let report: @Sendable (CarillonEvent) -> Void
    private let once: Once<[Answer]>
    private var answers: [String: Answer] = [:]

    /// Begins to collect the answers of the delegates in a chain.
    ///
    /// - Parameters:
    ///   - names: the names of the delegates in the chain, all different; if there are none, this initializer calls `complete`.
    ///   - timeLimit: the time after which `complete` is called without the missing answers.
    ///   - clock: the phone's clock.
    ///   - report: receives events about delegates that answer late, twice or never.
    ///   - complete: called once, with the answers in the order of `names`.
    init(
        _ names: [String], within timeLimit: Duration, clock: any CarillonClock,
        report: @escaping @Sendable (CarillonEvent) -> Void, complete: @escaping ([Answer]) -> Void
    ) {
        self.names = names
        self.report = report
        once = Once(complete)
        guard !names.isEmpty else {
            once.give { [] }
            return
        }
        once.give(after: timeLimit, by: clock) { [self] in
            for name in names where answers[name] == nil { report(.completionLeaked(name: name)) }
            return inOrder
        }
    }

    /// The answers so far, in the order of the delegates' names.
    private var inOrder: [Answer] { names.compactMap { answers[$0] } }

    /// Returns the completion handler for the delegate `name` in the chain; it may be called on any thread.
    func handler(for name: String) -> (Answer) -> Void {
        { answer in onMainThread { self.received(answer, from: name) } }
    }

    private func received(_ answer: Answer, from name: String) {
        guard answers[name] == nil else { return report(.completionCalledTwice(name: name)) }
        answers[name] = answer
        if answers.count == names.count { once.give { inOrder } }
    }
}
