import CarillonCore
import CarillonMessaging

/// Combines the receipts of many notifications: one request at a time; receipts that come meanwhile go with the next one.
///
/// iOS may let one process handle many notifications at once. With one request per notification, the last notification would
/// wait for all requests before it is shown.
actor ReceiptRequests {
    private enum Turn: Sendable {
        /// Send the receipts of all waiting notifications.
        case send
        /// Another notification's request, which began later, has sent them.
        case wasSent
    }

    /// The uptime at which the current request began; `nil` if there is none.
    private var began: Duration?
    private var waiting: [CheckedContinuation<Turn, Never>] = []

    /// The number of notifications whose receipts wait for the next request.
    var waitingCount: Int { waiting.count }

    /// Sends the waiting receipts, or lets another request that begins from now on carry them.
    ///
    /// - Parameters:
    ///   - clock: the phone's clock. A request that takes too long, because iOS has suspended it, holds up no other.
    ///   - request: sends all receipts that are waiting when it begins.
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
