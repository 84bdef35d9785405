import CarillonCore
import CarillonMessaging
import Foundation

/// The completion handlers that iOS has given the app: each is called exactly once, in time.
///
/// The decisions are those of ``CompletionDeadlines``; this holds the handlers and the timers.
@MainActor
final class CompletionHandlers {
    private let clock: any CarillonClock
    private let report: @Sendable (CarillonEvent) -> Void
    private var deadlines = CompletionDeadlines()
    private var callsWhenLate: [CompletionDeadlines.HandlerID: () -> Void] = [:]

    private let beforeEach: @MainActor () -> Void

    /// - Parameters:
    ///   - clock: the phone's.
    ///   - report: told how long each took.
    ///   - beforeEach: called right before each handler.
    init(
        clock: any CarillonClock, report: @escaping @Sendable (CarillonEvent) -> Void,
        beforeEach: @escaping @MainActor () -> Void
    ) {
        self.clock = clock
        self.report = report
        self.beforeEach = beforeEach
    }

    /// Takes charge of a completion handler.
    ///
    /// - Parameters:
    ///   - name: of the callback, for the developer.
    ///   - lateOutcome: makes the handler's argument when its time is over.
    ///   - handler: called once, on the main thread.
    /// - Returns: a closure that calls `handler`, unless it was called before.
    func open<Outcome>(
        _ name: String, late lateOutcome: @escaping @MainActor () -> Outcome, handler: @escaping (Outcome) -> Void
    ) -> @MainActor (Outcome) -> Void {
        let id = deadlines.opened(name, at: clock.uptime)
        let timer = clock.schedule(after: AppLimits.completionHandlerTime) { [weak self] in
            onMainThread { self?.timeIsUp() }
        }
        callsWhenLate[id] = { handler(lateOutcome()) }
        return { [self] outcome in
            guard let duration = deadlines.finished(id, at: clock.uptime) else { return }
            timer.cancel()
            callsWhenLate[id] = nil
            report(.completed(name: name, milliseconds: duration.wholeMilliseconds))
            beforeEach()
            handler(outcome)
        }
    }

    private func timeIsUp() {
        for (id, name) in deadlines.takeOverdue(at: clock.uptime) {
            report(.completionWasLate(name: name))
            beforeEach()
            callsWhenLate.removeValue(forKey: id)?()
        }
    }
}
