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

/// Decides when completion handlers are called: each exactly once, and in time.
///
/// A handler is overdue after ``AppLimits/completionHandlerTime``. All times are a clock's
/// ``CarillonClock/uptime``: iOS does not wait for a clock that was set back meanwhile.
package struct CompletionDeadlines: Sendable, Hashable {
    /// Identifies a handler that was received.
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

    /// Handlers that have not been called.
    package var openCount: Int { open.count }

    /// A handler was received.
    package mutating func opened(_ name: String, at uptime: Duration) -> HandlerID {
        lastNumber += 1
        let id = HandlerID(number: lastNumber)
        open[id] = Entry(name: name, openedAt: uptime)
        return id
    }

    /// The work for which a handler waits is done.
    ///
    /// - Parameters:
    ///   - id: from ``opened(_:at:)``.
    ///   - uptime: of the phone's clock.
    /// - Returns: how long it took, and the handler is to be called; `nil` when it was called before.
    package mutating func finished(_ id: HandlerID, at uptime: Duration) -> Duration? {
        open.removeValue(forKey: id).map { uptime - $0.openedAt }
    }

    /// The handlers whose time is over, oldest first: they are to be called now, and count as finished.
    package mutating func takeOverdue(at uptime: Duration) -> [(id: HandlerID, name: String)] {
        let overdue = open.filter { uptime - $0.value.openedAt >= AppLimits.completionHandlerTime }
            .sorted { $0.key < $1.key }
        for (id, _) in overdue { open[id] = nil }
        return overdue.map { ($0.key, $0.value.name) }
    }
}
