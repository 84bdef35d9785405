import CarillonCore

/// How often silent pushes may still wake an app within the hour.
struct BackgroundBudget: Sendable, Hashable {
    private var wakes: [Timestamp] = []
    private static let window = Duration.seconds(3600)

    mutating func mayWake(at now: Timestamp, perHour: Int?) -> Bool {
        forget(before: now)
        return perHour.map { wakes.count < $0 } ?? true
    }

    /// - Parameter cost: how many wakes this one counts for.
    mutating func woke(at now: Timestamp, cost: Int = 1) {
        forget(before: now)
        wakes += Array(repeating: now, count: max(0, cost))
    }

    /// When the next wake comes free.
    var nextAt: Timestamp? { wakes.min().map { $0 + Self.window } }

    private mutating func forget(before now: Timestamp) { wakes.removeAll { $0 + Self.window <= now } }
}
