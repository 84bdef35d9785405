import CarillonCore
import Synchronization

/// A phone's clock that a person sets: its wall time jumps, what waits is called as if it had not.
final class SettableClock: CarillonClock {
    private let clock: ManualClock
    private let lead = Mutex(Duration.zero)

    init(_ clock: ManualClock) { self.clock = clock }

    var now: Timestamp { clock.now + lead.withLock(\.self) }
    var uptime: Duration { clock.uptime }

    func schedule(at deadline: Timestamp, _ action: @escaping @Sendable () -> Void) -> ScheduledAction {
        clock.schedule(at: deadline - lead.withLock(\.self), action)
    }

    /// Changes the wall time by `duration`, as a person does in Settings.
    func turn(by duration: Duration) { lead.withLock { $0 += duration } }
}
