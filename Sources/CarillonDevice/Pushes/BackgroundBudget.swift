import CarillonCore

/// The budget of silent pushes that may wake an app within an hour.
struct BackgroundBudget: Sendable, Hashable {
    /// The newest wakes, oldest first.
    private var wakes: [Timestamp] = []
    private static let window = Duration.seconds(3600)

    mutating func mayWake(at now: Timestamp, perHour: Int?) -> Bool {
        guard let perHour else { return true }
        forget(before: now)
        return wakes.count < perHour
    }

    /// - Parameters:
    ///   - now: the time of the wake.
    ///   - cost: the number of wakes that this one counts for; the default is 1.
    mutating func woke(at now: Timestamp, cost: Int = 1) {
        wakes += Array(repeating: now, count: min(max(0, cost), PhoneLimits.wakesRemembered))
        // Seldom, since the removal moves all other elements.
        if wakes.count > 2 * PhoneLimits.wakesRemembered {
            wakes.removeFirst(wakes.count - PhoneLimits.wakesRemembered)
        }
    }

    /// The time at which the next wake becomes free.
    var nextAt: Timestamp? { wakes.first.map { $0 + Self.window } }

    private mutating func forget(before now: Timestamp) {
        let end = now - Self.window
        wakes.removeSubrange(..<(wakes.firstIndex { $0 > end } ?? wakes.endIndex))
    }
}
