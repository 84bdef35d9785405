import CarillonCore
import Synchronization

/// A clock that follows another clock and can be advanced: ``advance(by:)`` makes hours pass at once.
///
/// Use this clock if the senders are other programs. They read the machine's clock, which cannot be advanced, so
/// ``presentOfSenders(_:)`` converts their times.
public final class AdvanceableClock: CarillonClock {
    private struct Entry {
        var deadline: Timestamp
        var action: @Sendable () -> Void
        /// The handle with which the action's timer can be cancelled; `nil` until the timer is set.
        var handle: ScheduledAction?
    }

    private struct State {
        var offset = Duration.zero
        var lastNumber = 0
        var entries: [Int: Entry] = [:]
    }

    private let base: any CarillonClock
    private let state = Mutex(State())

    /// Makes a clock that shows the time of `base` until it is advanced.
    ///
    /// - Parameter base: the clock to follow, usually a `SystemClock`.
    public init(_ base: any CarillonClock) { self.base = base }

    /// The time of the clock that this clock follows, plus ``offset``.
    public var now: Timestamp { base.now + offset }

    /// The uptime of the clock that this clock follows, plus ``offset``.
    public var uptime: Duration { base.uptime + offset }

    /// The total time by which this clock has been advanced.
    public var offset: Duration { state.withLock(\.offset) }

    /// Advances the clock from deadline to deadline, and runs the actions that fall due on the caller's thread.
    ///
    /// Each action sees its own deadline as ``now``. An action may schedule further actions: if their deadlines fall within the
    /// advance, they run in this advance too. Work that an action continues on another thread may see the end of the advance.
    ///
    /// - Parameter duration: the time to advance by. A negative time counts as zero.
    public func advance(by duration: Duration) {
        let target = offset + max(.zero, duration)
        while let entry = takeNext(until: target) {
            entry.handle?.cancel()
            entry.action()
        }
        let numbers = state.withLock { state in
            state.offset = max(state.offset, target)
            return state.entries.keys.sorted()
        }
        for number in numbers { arm(number) }
    }

    /// Removes the action with the earliest deadline within an advance, and advances the clock to this deadline.
    ///
    /// - Parameter target: the offset at the end of the advance.
    /// - Returns: the action; `nil` if no further action falls due.
    private func takeNext(until target: Duration) -> Entry? {
        let baseNow = base.now
        return state.withLock { state in
            let next = state.entries.min { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }
            guard let next, next.value.deadline <= baseNow + target else { return nil }
            state.offset = max(state.offset, next.value.deadline - baseNow)
            return state.entries.removeValue(forKey: next.key)
        }
    }

    /// Schedules one call of `action` for the time when this clock reaches `deadline`.
    ///
    /// - Parameters:
    ///   - deadline: the time, by this clock.
    ///   - action: the code to run. It runs on a thread of the clock that this clock follows.
    /// - Returns: the scheduled action. Its method `cancel()` prevents the call unless the call has begun.
    public func schedule(at deadline: Timestamp, _ action: @escaping @Sendable () -> Void) -> ScheduledAction {
        let number = state.withLock { state in
            state.lastNumber += 1
            state.entries[state.lastNumber] = Entry(deadline: deadline, action: action)
            return state.lastNumber
        }
        arm(number)
        return ScheduledAction { [weak self] in self?.take(number)?.handle?.cancel() }
    }

    /// Converts a time from a sender's clock into this clock's time.
    ///
    /// - Parameter moment: the sender's time, such as the `iat` of a provider token.
    /// - Returns: the time plus ``offset``. A time more than a minute ahead of the clock that this clock follows is returned
    ///   unchanged, because the sender's clock must have been advanced too.
    public func presentOfSenders(_ moment: Timestamp) -> Timestamp {
        moment <= base.now + SimulatorLimits.clockTolerance ? moment + offset : moment
    }

    /// Sets a timer for a scheduled action, on the clock that this clock follows, and cancels the action's earlier timer.
    ///
    /// - Parameter number: the number of the scheduled action.
    private func arm(_ number: Int) {
        guard let deadline = state.withLock({ $0.entries[number]?.deadline }) else { return }
        let handle = base.schedule(at: deadline - offset) { [weak self] in self?.take(number)?.action() }
        let earlier = state.withLock { state in
            let earlier = state.entries[number]?.handle
            state.entries[number]?.handle = handle
            return earlier
        }
        earlier?.cancel()
    }

    private func take(_ number: Int) -> Entry? { state.withLock { $0.entries.removeValue(forKey: number) } }
}
