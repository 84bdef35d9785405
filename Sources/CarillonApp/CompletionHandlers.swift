import CarillonCore
import CarillonMessaging
import Foundation

/// The completion handlers that iOS has given the app; the SDK calls each exactly once, within 25 seconds.
///
/// ``CompletionDeadlines`` decides when to call a handler; this class holds the handlers and the timers.
@MainActor
final class CompletionHandlers {
    private let clock: any CarillonClock
    private let report: @Sendable (CarillonEvent) -> Void
    private var deadlines = CompletionDeadlines()
    private var callsWhenLate: [CompletionDeadlines.HandlerID: () -> Void] = [:]

    private let beforeEach: @MainActor () -> Void

    /// Makes the collection of completion handlers, at first empty.
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
    ///   - lateOutcome: returns the argument for `handler` if the time limit passes before the work is done.
    ///   - handler: called once, on the main thread.
    /// - Returns: a closure that calls `handler`, unless `handler` was called before.
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

/// The state that decides when to call completion handlers: each exactly once, and in time.
///
/// A handler is overdue after ``AppLimits/completionHandlerTime``. All times are ``CarillonClock/uptime``, so changes of the
/// phone's wall clock have no effect.
package struct CompletionDeadlines: Sendable, Hashable {
    /// The identity of a completion handler, from ``opened(_:at:)``.
    package struct HandlerID: Sendable, Hashable, Comparable {
        let number: Int
        package static func < (left: Self, right: Self) -> Bool { left.number < right.number }
    }

    private struct Entry: Sendable, Hashable {
        let name: String
        let openedAt: Duration
    }

    private var open: [HandlerID: Entry] = [:]
    private var lastNumber = 0

    package init() {}

    /// The number of handlers that have not been called.
    package var openCount: Int { open.count }

    /// Records a new handler at `uptime`, and returns its id.
    package mutating func opened(_ name: String, at uptime: Duration) -> HandlerID {
        lastNumber += 1
        let id = HandlerID(number: lastNumber)
        open[id] = Entry(name: name, openedAt: uptime)
        return id
    }

    /// Records that the work behind a handler is done.
    ///
    /// - Parameters:
    ///   - id: the id from ``opened(_:at:)``.
    ///   - uptime: the phone's uptime now.
    /// - Returns: the time since the handler was opened, if the caller must call the handler now; `nil` if the handler was
    ///   called before.
    package mutating func finished(_ id: HandlerID, at uptime: Duration) -> Duration? {
        open.removeValue(forKey: id).map { uptime - $0.openedAt }
    }

    /// Returns the overdue handlers, oldest first, and counts them as finished: the caller must call them now.
    package mutating func takeOverdue(at uptime: Duration) -> [(id: HandlerID, name: String)] {
        let overdue = open.filter { uptime - $0.value.openedAt >= AppLimits.completionHandlerTime }
            .sorted { $0.key < $1.key }
        for (id, _) in overdue { open[id] = nil }
        return overdue.map { ($0.key, $0.value.name) }
    }
}
