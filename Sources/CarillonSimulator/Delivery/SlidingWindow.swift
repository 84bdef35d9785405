import CarillonCore

/// Counts recent pushes or requests, to limit them to a ``DeliveryRules/Budget``.
///
/// The times are the simulator's dates, which an advance of its clock moves too. If somebody sets the machine's clock back, what
/// was counted after the new time is forgotten; if it is set forward, the window passes early.
struct SlidingWindow: Sendable, Hashable {
    private var grants: [Timestamp] = []

    /// Counts a push or a request against a budget.
    ///
    /// - Returns: `nil` if the budget allows the push or request; otherwise the earliest time at which it would.
    mutating func admit(under budget: DeliveryRules.Budget, at now: Timestamp) -> Timestamp? {
        grants.removeAll { $0 + budget.window <= now || $0 > now }
        guard grants.count >= budget.count else {
            grants.append(now)
            return nil
        }
        return grants[grants.count - budget.count] + budget.window
    }
}
