import CarillonCore

/// Outcomes that a sender knows and has not written down, and whether they are worth a commit yet.
///
/// Each commit costs, so those of pushes to many devices wait a moment for others. Nobody waits for them, and nothing is lost
/// with them that would not be lost with an answer that is still on its way.
struct UnwrittenOutcomes: Sendable {
    private var pushes: [SentPush] = []
    /// Whether somebody may wait for one of them.
    private var isUrgent = false
    /// When they are written down at the latest, on the monotonic clock.
    private(set) var writtenAt: Duration?

    var count: Int { pushes.count }
    var isEmpty: Bool { pushes.isEmpty }

    mutating func append(_ more: [SentPush], _ uptime: Duration) {
        if isEmpty, !more.isEmpty { writtenAt = uptime + ServiceLimits.longestOutcomeWait }
        pushes += more
        isUrgent = isUrgent || more.indices.contains { more[$0].lane == .single }
    }

    /// They could not be written down, and have waited enough.
    mutating func putBack(_ former: [SentPush], _ uptime: Duration) {
        pushes = former + pushes
        writtenAt = uptime
        isUrgent = true
    }

    /// - Parameters:
    ///   - inFlight: how many pushes have been handed over, those included whose outcome is here.
    ///   - part: how many are worth it in any case.
    ///   - uptime: the monotonic clock.
    /// - Returns: whether to write them down now.
    func isWorthWriting(inFlight: Int, part: Int, _ uptime: Duration) -> Bool {
        guard let writtenAt else { return false }
        return isUrgent || count >= part || count >= inFlight || uptime >= writtenAt
    }

    /// The first of them, which are written down now; before all others those that somebody may wait for.
    mutating func take(_ limit: Int, _ uptime: Duration) -> [SentPush] {
        var taken: [SentPush] = []
        if pushes.count <= limit {
            swap(&taken, &pushes)
        } else {
            if isUrgent { pushes = pushes.filter { $0.lane == .single } + pushes.filter { $0.lane != .single } }
            taken = Array(pushes.prefix(limit))
            pushes.removeFirst(limit)
        }
        isUrgent = isUrgent && pushes.indices.contains { pushes[$0].lane == .single }
        writtenAt = isEmpty ? nil : uptime + ServiceLimits.longestOutcomeWait
        return taken
    }
}
