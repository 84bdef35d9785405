import CarillonCore
import Foundation
import Synchronization

/// The timers on an app's main run loop.
///
/// A timer is kept until it has fired for the last time, is found invalid when it is due, or its app ends.
final class AppTimers: Sendable {
    fileprivate struct Entry {
        let timer: Timer
        var plan: AppTimer
        var scheduled: ScheduledAction?
        /// Whether the timer waits for its app to be resumed; it then fires once for all missed dates.
        var isOverdue = false
    }

    fileprivate struct State: @unchecked Sendable {  // `@unchecked`: under the lock only
        var entries: [ObjectIdentifier: Entry] = [:]
        var isOver = false
    }

    /// A timer on its way to the main queue.
    ///
    /// `@unchecked`: Foundation allows calling a timer from any thread.
    fileprivate struct Unchecked: @unchecked Sendable { let timer: Timer }

    private let state = Mutex(State())
    private let clock: any CarillonClock

    init(clock: any CarillonClock) { self.clock = clock }

    func add(_ timer: Timer, dueAfter seconds: TimeInterval, of process: RunningProcess) {
        let id = ObjectIdentifier(timer)
        let plan = AppTimer(
            interval: timer.timeInterval, fireDate: timer.fireDate, seconds: seconds,
            now: clock.now)
        let added = Unchecked(timer: timer)
        let isNew = state.withLock { state in
            guard !state.isOver, added.timer.isValid, state.entries[id] == nil else { return false }
            state.entries[id] = Entry(timer: added.timer, plan: plan)
            return true
        }
        if isNew { schedule(id, at: plan.due, of: process) }
    }

    /// Cancels all timers of an app that has ended.
    func end() {
        let scheduled = state.withLock { state in
            state.isOver = true
            defer { state.entries = [:] }
            return state.entries.values.map(\.scheduled)
        }
        for action in scheduled { action?.cancel() }
    }

    private func schedule(_ id: ObjectIdentifier, at due: Timestamp, of process: RunningProcess) {
        let scheduled = clock.schedule(at: due) { [weak self, weak process] in
            if let self, let process { fellDue(id, of: process) }
        }
        state.withLock { $0.entries[id]?.scheduled = scheduled }
    }

    /// Fires a timer.
    ///
    /// The next date is set before the call. Therefore the timer fires for each of its dates, even if the clock advances over
    /// several of them at once.
    private func fellDue(_ id: ObjectIdentifier, of process: RunningProcess) {
        let isSuspended = process.gate.phase == .suspended
        let (fires, next) = state.withLock { $0.fellDue(id, isSuspended: isSuspended) }
        if let next { schedule(id, at: next, of: process) }
        guard let fires else { return }
        process.kernel.mailbox.post {
            ProcessScheduler.shared.run(as: process, "timer") {
                self.state.withLock { $0.entries[id]?.isOverdue = false }
                fires.timer.fire()
            }
        }
    }
}

extension AppTimers.State {
    /// Advances a due timer.
    ///
    /// - Returns: `fires`, the timer if it must fire now, and `next`, its next due date; each is `nil` if there is none.
    fileprivate mutating func fellDue(
        _ id: ObjectIdentifier, isSuspended: Bool
    ) -> (fires: AppTimers.Unchecked?, next: Timestamp?) {
        guard var entry = entries.removeValue(forKey: id), entry.timer.isValid else { return (nil, nil) }
        let seconds = entry.timer.fireDate.timeIntervalSinceNow
        switch entry.plan.fellDue(fireDate: entry.timer.fireDate, seconds: seconds) {
        case .wait(let next):
            entries[id] = entry
            return (nil, next)
        case .fire(nil): return (AppTimers.Unchecked(timer: entry.timer), nil)
        case .fire(let next?):
            let wasOverdue = entry.isOverdue
            entry.isOverdue = isSuspended
            entries[id] = entry
            return (wasOverdue && isSuspended ? nil : AppTimers.Unchecked(timer: entry.timer), next)
        }
    }
}
