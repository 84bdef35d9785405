import Synchronization

/// Decides when to log a repeated line again: at most once in each interval.
final class LogReminder: Sendable {
    private struct State {
        var told: Duration?
        var count = 0
    }

    private let interval: Duration
    private let state = Mutex(State())

    /// Makes a reminder for one kind of line.
    ///
    /// - Parameter interval: the shortest time between two lines. The default is ``ServiceLimits/refusalReminder``.
    init(every interval: Duration = ServiceLimits.refusalReminder) { self.interval = interval }

    /// Adds occurrences of an incident, and decides whether to log a line about it now.
    ///
    /// - Parameters:
    ///   - occurrences: the number of occurrences.
    ///   - uptime: the monotonic time.
    /// - Returns: the number of occurrences since the last line, if a line is due; otherwise `nil`.
    func count(_ occurrences: Int = 1, at uptime: Duration) -> Int? {
        state.withLock { state in
            state.count += occurrences
            if let told = state.told, uptime - told < interval { return nil }
            state.told = uptime
            defer { state.count = 0 }
            return state.count
        }
    }
}
