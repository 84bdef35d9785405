import CarillonCore
import CarillonMessaging

/// Lets the receipts of many notifications travel together: one request at a time; those who come meanwhile go with the
/// next one.
///
/// iOS may let one process handle many notifications at once. A request for each of them would keep the last ones from
/// the person's eyes for as long as all the requests take.
actor ReceiptRequests {
    private enum Turn: Sendable {
        /// Send, for all who wait.
        case send
        /// Another's request, which began later, has ended.
        case wasSent
    }

    /// When the request that is under way began, by the uptime; `nil` when there is none.
    private var began: Duration?
    private var waiting: [CheckedContinuation<Turn, Never>] = []

    /// The number of receipts that wait for the next request.
    var waitingCount: Int { waiting.count }

    /// Sends what waits, or lets another request that begins from now on carry it.
    ///
    /// - Parameters:
    ///   - clock: the phone's. A request that has taken too long, because iOS has stopped it in its midst, holds up
    ///     nobody.
    ///   - request: sends all receipts that wait at its beginning.
    func send(_ clock: any CarillonClock, _ request: @Sendable () async -> Void) async {
        if let began, clock.uptime < began + AppLimits.requestTime {
            guard case .send = await withCheckedContinuation({ waiting.append($0) }) else { return }
        }
        began = clock.uptime
        let carried = waiting
        waiting = []
        await request()
        for turn in carried { turn.resume(returning: .wasSent) }
        if waiting.isEmpty {
            began = nil
        } else {
            waiting.removeFirst().resume(returning: .send)
        }
    }
}
