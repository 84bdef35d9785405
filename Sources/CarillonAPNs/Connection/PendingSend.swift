import CarillonCore

/// One send on its way: what goes out, and whoever awaits the outcome.
///
/// `@unchecked Sendable`: before it is submitted it belongs to the sender, from then on to the client's event loop; the
/// queue's lock lies between the two.
final class PendingSend: @unchecked Sendable {
    enum Caller {
        /// A suspended task.
        ///
        /// Unchecked, because ``ClientLoop`` completes each request once and never forgets one, and the check would
        /// cost an allocation for each.
        case task(UnsafeContinuation<Result<APNsOutcome, APNsError>, Never>)
        case batch(BatchFeed)

        func complete(_ request: PendingSend, _ result: Result<APNsOutcome, APNsError>) {
            switch self {
            case .task(let continuation): continuation.resume(returning: result)
            case .batch(let feed):
                feed.completed([APNsDelivery(notification: request.notification, result: result)])
            }
        }
    }

    let notification: APNsNotification
    /// From when it reaches the event loop.
    let timeLimit: Duration
    /// Set by the sender before it submits.
    var caller: Caller?

    /// Given by the pool once the event loop has the request.
    var id: RequestID?
    /// Set when the caller gave up before that.
    var isCancelled = false
    /// When the event loop took it, on the clock's uptime.
    var arrival: Duration = .zero

    init(_ notification: APNsNotification, timeLimit: Duration, caller: Caller? = nil) {
        self.notification = notification
        self.timeLimit = min(timeLimit, ClientLimits.longestDeadline)
        self.caller = caller
    }

    /// Whether its caller wants it no more, though it has not been sent.
    var isUnwanted: Bool {
        if isCancelled { return true }
        if case .batch(let feed) = caller { return feed.isStopped }
        return false
    }
}
