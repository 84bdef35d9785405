import CarillonCore

/// The last problem with connections, for pushes that end without having been sent.
struct ConnectTrouble: Sendable {
    private var problem: String?
    /// The reason for distrust, if the problem was the server's certificate.
    private var distrust: Distrust?

    mutating func note(_ problem: String, _ distrust: Distrust? = nil) {
        (self.problem, self.distrust) = (problem, distrust)
    }

    /// Forgets the problem, because an answer has proved that it is over.
    mutating func isOver() {
        if problem != nil { (problem, distrust) = (nil, nil) }
    }

    /// Returns the error for a push whose deadline passes before it is sent.
    ///
    /// It names the last problem, or the step at which an attempt to connect stands, if that has had time to succeed.
    func error(hasConnection: Bool, _ connections: [PoolConnection], at now: ClockReading) -> APNsError {
        var (problem, distrust) = (problem, distrust)
        if let attempt = connections.first(where: { $0.phase == .connecting && $0.step != nil }),
            let step = attempt.step
        {
            let wait = now.steady - attempt.stepSince
            if problem == nil || wait >= ClientLimits.stepWorthNaming {
                (problem, distrust) = (step.sentence(after: wait), nil)
            }
        }
        let reason = problem.map { " The last problem was: \($0)." } ?? ""
        if hasConnection { return .notSent("The deadline passed while the notification was queued.\(reason)") }
        let message = "There was no connection to APNs before the deadline.\(reason)"
        return distrust.map { .distrusted($0, message) } ?? .notSent(message)
    }
}
