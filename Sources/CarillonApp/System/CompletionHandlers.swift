import CarillonCore
import Foundation

/// The completion handlers that the app was given, and the clock that watches them. The decisions are
/// ``CompletionDeadlines``'s.
@MainActor
final class CompletionHandlers {
    private let clock: any CarillonClock
    private let report: @Sendable (CarillonEvent) -> Void
    private var ledger = CompletionDeadlines()
    private var whenLate: [CompletionDeadlines.Ticket: () -> Void] = [:]

    init(clock: any CarillonClock, report: @escaping @Sendable (CarillonEvent) -> Void) {
        self.clock = clock
        self.report = report
    }

    /// Takes charge of `handler`.
    ///
    /// - Parameter lateOutcome: what it is given when time is up.
    /// - Returns: a closure that calls it, the first time.
    func open<Outcome>(
        _ name: String, late lateOutcome: @escaping @MainActor () -> Outcome, handler: @escaping (Outcome) -> Void
    ) -> @MainActor (Outcome) -> Void {
        let ticket = ledger.opened(name, at: clock.now)
        let alarm = clock.schedule(after: CompletionDeadlines.longest) { [weak self] in
            onMainThread { self?.timeIsUp() }
        }
        whenLate[ticket] = { handler(lateOutcome()) }
        return { [self] outcome in
            guard let duration = ledger.finished(ticket, at: clock.now) else { return }
            alarm.cancel()
            whenLate[ticket] = nil
            report(.completed(name: name, milliseconds: duration.wholeMilliseconds))
            handler(outcome)
        }
    }

    private func timeIsUp() {
        for (ticket, name) in ledger.takeOverdue(at: clock.now) {
            report(.completionWasLate(name: name))
            whenLate.removeValue(forKey: ticket)?()
        }
    }
}
