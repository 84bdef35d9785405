import CarillonCore

/// The reason why requests wait for a connection: the last problem with a connection.
struct PoolHindrance {
    var problem: String?
    /// The reason why the server is not trusted, if this distrust caused ``problem``.
    var distrust: Distrust?

    /// Returns the reason why requests wait: the last problem, or the step at which `attempt`, an attempt to connect, is waiting.
    ///
    /// The result names the step if ``problem`` is `nil`, or if the step has lasted for at least
    /// ``ClientLimits/stepWorthNaming``. If there is no step, the result is this value, unchanged.
    func orStep(of attempt: PoolConnection?, at now: Timestamp) -> PoolHindrance {
        guard let attempt, let step = attempt.step else { return self }
        let wait = now - attempt.stepSince
        guard problem == nil || wait >= ClientLimits.stepWorthNaming else { return self }
        return PoolHindrance(problem: step.sentence(after: wait))
    }

    /// Returns the error of a request that was not sent before its deadline.
    func failure(hasConnection: Bool) -> APNsError {
        let reason = problem.map { " The last problem was: \($0)." } ?? ""
        if hasConnection { return .notSent("The deadline passed while the notification was queued.\(reason)") }
        let message = "There was no connection to APNs before the deadline.\(reason)"
        return distrust.map { .distrusted($0, message) } ?? .notSent(message)
    }
}
