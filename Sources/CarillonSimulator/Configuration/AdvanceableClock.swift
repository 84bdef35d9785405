import CarillonCore
import Synchronization

/// A clock that follows another clock and can be advanced: ``advance(by:)`` makes hours pass at once.
///
/// It is for simulators whose senders are other programs. They live by the machine's clock and stay behind;
/// ``presentOfSenders(_:)`` converts their times.
public final class AdvanceableClock: CarillonClock {
    private struct Entry {
        var deadline: Timestamp
        var action: @Sendable () -> Void
        /// The scheduled action; `nil` until it is scheduled with the other clock.
        var handle: ScheduledAction?
    }

    private struct State {
        var offset = Duration.zero
        var lastNumber = 0
        var entries: [Int: Entry] = [:]
    }

    private let base: any CarillonClock
    private let state = Mutex(State())

    /// Makes a clock that agrees with `base` until it is advanced.
    ///
    /// - Parameter base: usually a `SystemClock`.
    public init(_ base: any CarillonClock) { self.base = base }

    /// The other clock's time plus ``offset``.
    public var now: Timestamp { base.now + offset }

    /// The other clock's uptime plus ``offset``.
    public var uptime: Duration { base.uptime + offset }

    /// The total by which this clock was advanced.
    public var offset: Duration { state.withLock(\.offset) }

    /// Advances the clock and performs the actions that fall due, on a thread of the other clock.
    ///
    /// - Parameter duration: the time to advance by; a negative one counts as zero.
    public func advance(by duration: Duration) {
        let numbers = state.withLock { state in
            state.offset += max(.zero, duration)
            return state.entries.keys.sorted()
        }
        for number in numbers { arm(number) }
    }

    /// Calls `action` once, as soon as this clock has reached `deadline`.
    ///
    /// - Parameters:
    ///   - deadline: by this clock.
    ///   - action: the code to run on a thread of the other clock.
    /// - Returns: a handle whose `cancel()` prevents the call, unless the call has begun.
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
    /// - Returns: the time shifted by ``offset``; unchanged when it lies in the other clock's future, since then the sender's
    ///   clock was advanced too.
    public func presentOfSenders(_ moment: Timestamp) -> Timestamp {
        moment <= base.now + SimulatorLimits.clockTolerance ? moment + offset : moment
    }

    /// Schedules an entry with the other clock, again if it has been scheduled already.
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
