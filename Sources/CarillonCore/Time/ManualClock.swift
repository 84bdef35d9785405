import Synchronization

/// A clock that stands still until it is told to advance.
///
/// What is scheduled runs inside ``advance(by:)``, on the caller's thread, in the order of the deadlines; actions of
/// one deadline run in the order in which they were scheduled. An action may schedule further ones: those that fall
/// within the advance run in the same advance, and each sees `now` at its own deadline.
public final class ManualClock: CarillonClock {
    private struct Entry {
        let deadline: Timestamp
        let number: Int
        let action: @Sendable () -> Void
    }

    private struct State {
        var now: Timestamp
        var uptime: Duration = .zero
        var nextNumber = 0
        var entries: [Entry] = []

        mutating func move(to moment: Timestamp) {
            guard moment > now else { return }
            uptime += moment - now
            now = moment
        }
    }

    private let state: Mutex<State>

    /// - Parameter start: the first `now`. There is no default: a test says when it plays.
    public init(start: Timestamp) {
        state = Mutex(State(now: start))
    }

    public var now: Timestamp { state.withLock(\.now) }

    /// The sum of what the clock has been advanced by.
    public var uptime: Duration { state.withLock(\.uptime) }

    /// The deadline of what is next in line; `nil` when nothing is scheduled.
    public var nextDeadline: Timestamp? { state.withLock { $0.entries.map(\.deadline).min() } }

    public func schedule(at deadline: Timestamp, _ action: @escaping @Sendable () -> Void) -> ScheduledAction {
        let number = state.withLock { state in
            state.nextNumber += 1
            state.entries.append(Entry(deadline: deadline, number: state.nextNumber, action: action))
            return state.nextNumber
        }
        return ScheduledAction { [weak self] in
            self?.state.withLock { $0.entries.removeAll { $0.number == number } }
        }
    }

    public func advance(by duration: Duration) { advance(to: now + duration) }

    /// Moves to `target` and runs what falls due on the way; a moment that has passed already runs what is overdue.
    public func advance(to target: Timestamp) {
        while let action = takeNext(until: target) { action() }
        state.withLock { $0.move(to: target) }
    }

    /// Sets the wall time, also backwards, without running anything: what a person does in Settings.
    public func set(to moment: Timestamp) { state.withLock { $0.now = moment } }

    private func takeNext(until target: Timestamp) -> (@Sendable () -> Void)? {
        state.withLock { state in
            let due = state.entries.indices
                .filter { state.entries[$0].deadline <= target }
                .min {
                    (state.entries[$0].deadline, state.entries[$0].number) < (
                        state.entries[$1].deadline, state.entries[$1].number
                    )
                }
            guard let due else { return nil }
            let entry = state.entries.remove(at: due)
            state.move(to: entry.deadline)
            return entry.action
        }
    }
}
