import CarillonCore
import CarillonMessaging
import Foundation

/// The completion handlers that iOS has given the app; the SDK calls each exactly once, and in time.
@MainActor
final class CompletionHandlers {
    private let clock: any CarillonClock
    private let report: @Sendable (CarillonEvent) -> Void
    private let beforeEach: @MainActor () -> Void

    /// Makes the collection of completion handlers.
    ///
    /// - Parameters:
    ///   - clock: the phone's clock, by which the time limits are measured.
    ///   - report: receives an event for each completion handler that is called, with the time since iOS gave the handler to
    ///     the app.
    ///   - beforeEach: called right before each completion handler.
    init(
        clock: any CarillonClock, report: @escaping @Sendable (CarillonEvent) -> Void,
        beforeEach: @escaping @MainActor () -> Void
    ) {
        self.clock = clock
        self.report = report
        self.beforeEach = beforeEach
    }

    /// Adds a completion handler, and starts the timer that calls the handler if the work takes too long.
    ///
    /// - Parameters:
    ///   - name: the name of iOS's callback, for events such as ``CarillonEvent/completed(name:milliseconds:)``.
    ///   - lateOutcome: returns the argument for `handler` if ``AppLimits/completionHandlerTime`` passes before the work is done.
    ///   - handler: called once, on the main thread.
    /// - Returns: a closure that calls `handler`, unless `handler` was called before.
    func open<Outcome>(
        _ name: String, late lateOutcome: @escaping @MainActor () -> Outcome, handler: @escaping (Outcome) -> Void
    ) -> @MainActor (Outcome) -> Void {
        let openedAt = clock.uptime
        let once = Once<Outcome> { [beforeEach] outcome in
            beforeEach()
            handler(outcome)
        }
        once.give(after: AppLimits.completionHandlerTime, by: clock) { [report] in
            report(.completionWasLate(name: name))
            return lateOutcome()
        }
        return { [clock, report] outcome in
            once.give {
                report(.completed(name: name, milliseconds: (clock.uptime - openedAt).wholeMilliseconds))
                return outcome
            }
        }
    }
}
