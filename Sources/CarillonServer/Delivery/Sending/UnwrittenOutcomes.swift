import CarillonCore

/// The outcomes that a sender has not stored yet.
///
/// The type decides when a commit is worthwhile. Each commit costs time, so outcomes of pushes in ``DeliveryLane/bulk``, the
/// queue for messages to many devices, wait a moment for more outcomes. No caller waits for an outcome of this queue. If the
/// process ends before it stores one, the effect is as if APNs' answer had been lost.
struct UnwrittenOutcomes: Sendable {
    private var pushes: [SentPush] = []
    /// Whether at least one of the outcomes is urgent: it should be stored without waiting for further outcomes.
    ///
    /// An outcome is urgent if its push was in ``DeliveryLane/single``, because a caller may be waiting for it. It is also urgent
    /// if an earlier attempt to store it has failed.
    private var isUrgent = false
    /// The latest time, on the monotonic clock, at which the outcomes should be stored; `nil` if there are none.
    private(set) var writtenAt: Duration?

    var count: Int { pushes.count }
    var isEmpty: Bool { pushes.isEmpty }

    mutating func append(_ more: [SentPush], _ uptime: Duration) {
        if isEmpty, !more.isEmpty { writtenAt = uptime + DeliveryLimits.longestOutcomeWait }
        pushes += more
        isUrgent = isUrgent || more.indices.contains { more[$0].lane == .single }
    }

    /// Puts back outcomes that the store could not store, so that the sender stores them as soon as it can.
    mutating func putBack(_ former: [SentPush], _ uptime: Duration) {
        pushes = former + pushes
        writtenAt = uptime
        isUrgent = true
    }

    /// Returns whether to store the outcomes now.
    ///
    /// - Parameters:
    ///   - inFlight: the number of pushes in flight, including the pushes whose outcomes wait here.
    ///   - part: the least number of waiting outcomes for which a commit is always worthwhile.
    ///   - uptime: the present time on the monotonic clock.
    /// - Returns: whether to store the outcomes now.
    func isWorthWriting(inFlight: Int, part: Int, _ uptime: Duration) -> Bool {
        guard let writtenAt else { return false }
        return isUrgent || count >= part || count >= inFlight || uptime >= writtenAt
    }

    /// Removes and returns the first outcomes, at most `limit`.
    ///
    /// Outcomes of pushes in ``DeliveryLane/single``, the queue for messages to few devices, come first.
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
        writtenAt = isEmpty ? nil : uptime + DeliveryLimits.longestOutcomeWait
        return taken
    }
}
