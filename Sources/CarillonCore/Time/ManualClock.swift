import Dispatch

/// A clock that stands still until it is advanced.
///
/// Scheduled actions run inside ``advance(by:)``, on the caller's thread, in the order of their deadlines; actions with equal
/// deadlines run in the order in which they were scheduled. An action may schedule further actions: if their deadlines fall
/// within the advance, they run in this advance too. Each action sees its own deadline as `now`.
public final class ManualClock: CarillonClock {
    /// The position of a scheduled action in the order in which actions run: by its deadline, then by its number.
    private struct Place: Comparable {
        let deadline: Timestamp
        let number: Int

        static func < (one: Place, other: Place) -> Bool {
            (one.deadline, one.number) < (other.deadline, other.number)
        }
    }

    private struct Entry {
        let place: Place
        let action: @Sendable () -> Void
    }

    private struct State {
        var now: Timestamp
        var uptime: Duration = .zero
        var nextNumber = 0
        /// The number of actions that were overdue when they were scheduled, since the clock moved last.
        var overdueCount = 0
        var hasRunHot = false
        /// The scheduled actions, in reverse order: the next action is last, so that removing it does not move the others.
        var entries: [Entry] = []

        /// Returns the index of the scheduled action with this place in the order of execution; if there is none, the index at
        /// which to insert it.
        func index(of place: Place) -> Int {
            var range = entries.indices
            while !range.isEmpty {
                let middle = range.lowerBound + range.count / 2
                range = entries[middle].place > place ? middle + 1..<range.upperBound : range.lowerBound..<middle
            }
            return range.lowerBound
        }

        mutating func move(to moment: Timestamp) {
            guard moment > now else { return }
            uptime += moment - now
            now = moment
            overdueCount = 0
        }
    }

    private let state: Guarded<State>
    /// The maximum number of overdue actions that run by themselves while the clock stands still; `nil` if they wait for the
    /// next advance.
    private let overdueLimit: Int?

    /// Makes a clock that stands at `start`.
    ///
    /// - Parameter start: the first ``now``. There is no default: a test states the time at which it runs.
    public init(start: Timestamp) {
        state = Guarded(State(now: start))
        overdueLimit = nil
    }

    /// Makes a clock that runs overdue actions by itself, as ``SystemClock`` does, and so lets a test find an endless loop.
    ///
    /// An action whose deadline has passed when it is scheduled runs soon afterwards, on the main queue.
    ///
    /// - Parameters:
    ///   - start: the first ``now``.
    ///   - overdueLimit: the maximum number of such actions while the clock stands still. Beyond it they wait for the next
    ///     advance, and ``hasRunHot`` becomes `true`.
    package init(start: Timestamp, overdueLimit: Int) {
        state = Guarded(State(now: start))
        self.overdueLimit = overdueLimit
    }

    /// Whether at one moment more actions were overdue than the limit allows: some code repeats itself without a pause.
    package var hasRunHot: Bool { state.withLock(\.hasRunHot) }

    /// The time at which the clock stands; inside a scheduled action, the action's deadline.
    public var now: Timestamp { state.withLock(\.now) }

    /// The total time by which the clock has been advanced.
    public var uptime: Duration { state.withLock(\.uptime) }

    /// The earliest deadline; `nil` if nothing is scheduled.
    public var nextDeadline: Timestamp? { state.withLock { $0.entries.last?.place.deadline } }

    /// The number of scheduled actions that have not run.
    package var scheduledCount: Int { state.withLock(\.entries.count) }

    /// Schedules `action` for the advance that reaches `deadline`.
    ///
    /// - Parameters:
    ///   - deadline: the time of the call; a past time counts as now.
    ///   - action: the code to run inside ``advance(by:)``, on the caller's thread.
    /// - Returns: a handle whose ``ScheduledAction/cancel()`` prevents the call, unless the call has begun.
    public func schedule(at deadline: Timestamp, _ action: @escaping @Sendable () -> Void) -> ScheduledAction {
        let (place, runsNow) = state.withLock { state in
            state.nextNumber += 1
            let place = Place(deadline: deadline, number: state.nextNumber)
            state.entries.insert(Entry(place: place, action: action), at: state.index(of: place))
            guard let overdueLimit, deadline <= state.now else { return (place, false) }
            state.overdueCount += 1
            if state.overdueCount > overdueLimit { state.hasRunHot = true }
            return (place, state.overdueCount <= overdueLimit)
        }
        if runsNow { DispatchQueue.main.async { [weak self] in self?.runOverdue() } }
        return ScheduledAction { [weak self] in
            self?.state.withLock { state in
                let index = state.index(of: place)
                if state.entries.indices.contains(index), state.entries[index].place == place {
                    state.entries.remove(at: index)
                }
            }
        }
    }

    /// Advances the clock and runs the actions that become due.
    ///
    /// - Parameter duration: the time to advance by; zero runs overdue actions.
    public func advance(by duration: Duration) { advance(to: now + duration) }

    /// Advances the clock to `target` and runs the actions that become due.
    ///
    /// - Parameter target: the new time; a past time does not move the clock back, but runs overdue actions.
    public func advance(to target: Timestamp) {
        while let action = takeNext(until: target) { action() }
        state.withLock { $0.move(to: target) }
    }

    /// Sets the wall time, also backwards, without running any action, as a person does in Settings.
    ///
    /// - Parameter moment: the new ``now``; ``uptime`` does not change.
    public func set(to moment: Timestamp) { state.withLock { $0.now = moment } }

    private func runOverdue() { takeNext(until: now)?() }

    private func takeNext(until target: Timestamp) -> (@Sendable () -> Void)? {
        state.withLock { state in
            guard let entry = state.entries.last, entry.place.deadline <= target else { return nil }
            state.entries.removeLast()
            state.move(to: entry.place.deadline)
            return entry.action
        }
    }
}
