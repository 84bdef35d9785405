import CarillonCore

/// Counts pushes or requests within a sliding window.
struct SlidingWindow: Sendable, Hashable {
    private var grants: [Timestamp] = []

    /// - Returns: `nil` when one more may pass now (it is counted then), else the time at which it may.
    mutating func admit(under budget: DeliveryRules.Budget, at now: Timestamp) -> Timestamp? {
        grants.removeAll { $0 + budget.window <= now }
        guard grants.count >= budget.count else {
            grants.append(now)
            return nil
        }
        return grants[grants.count - budget.count] + budget.window
    }
}
