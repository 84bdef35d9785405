import CarillonCore
import Synchronization

/// A clock for a process that stands still: its time passes, and none of its timers runs.
final class FrozenClock: CarillonClock {
    private struct State {
        var passed = Duration.zero
        var readings = 0
    }

    private let state = Mutex(State())

    var now: Timestamp { TestValues.start + state.withLock(\.passed) }

    var uptime: Duration {
        state.withLock { state in
            state.readings += 1
            return state.passed
        }
    }

    /// The number of times that the uptime was read.
    var readings: Int { state.withLock(\.readings) }

    func pass(_ duration: Duration) { state.withLock { $0.passed += duration } }

    func schedule(at deadline: Timestamp, _ action: @escaping @Sendable () -> Void) -> ScheduledAction {
        ScheduledAction {}
    }
}
