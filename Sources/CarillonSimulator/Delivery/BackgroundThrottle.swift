import CarillonCore

/// Counts the background pushes of one app on one device within a sliding window.
struct BackgroundThrottle: Sendable, Hashable {
    private var grants: [Timestamp] = []

    /// - Returns: `nil` when one more may pass now (it is counted then), else the moment at which it may.
    mutating func admit(under budget: DeliveryRules.BackgroundBudget, at now: Timestamp) -> Timestamp? {
        grants.removeAll { $0 + budget.window <= now }
        guard grants.count >= budget.count else {
            grants.append(now)
            return nil
        }
        return grants[grants.count - budget.count] + budget.window
    }
}
