import CarillonCore
import Synchronization

/// A clock for a process that stands still: its time passes, and none of its timers runs.
final class FrozenClock: CarillonClock {
    private struct State {
        var passed = Duration.zero
        var readings = 0
        var standstill: (after: Int, duration: Duration)?
    }

    private let state = Mutex(State())

    var now: Timestamp { TestValues.start + state.withLock(\.passed) }

    var uptime: Duration {
        state.withLock { state in
            state.readings += 1
            let reading = state.passed
            if let standstill = state.standstill, standstill.after == state.readings {
                state.passed += standstill.duration
                state.standstill = nil
            }
            return reading
        }
    }

    /// The number of times that the uptime was read.
    var readings: Int { state.withLock(\.readings) }

    func pass(_ duration: Duration) { state.withLock { $0.passed += duration } }

    /// Lets time pass just after the uptime was read so many times more.
    func pass(_ duration: Duration, afterReadings count: Int) {
        state.withLock { $0.standstill = ($0.readings + count, duration) }
    }

    func schedule(at deadline: Timestamp, _ action: @escaping @Sendable () -> Void) -> ScheduledAction {
        ScheduledAction {}
    }
}
