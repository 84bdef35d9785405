import CarillonCore
import CarillonMessaging

/// A queue that combines the receipts of many notifications into one request at a time.
///
/// The next request carries all receipts that come during the current one. iOS may let one process handle many notifications at
/// once. With one request per notification, the last notification would have to wait for all requests before iOS shows it.
actor ReceiptRequests {
    private enum Turn: Sendable {
        /// The waiting notification must now send the receipts of all waiting notifications.
        case send
        /// Another notification's request has sent the waiting notification's receipts.
        case wasSent
    }

    /// The uptime at which the current request began; `nil` if there is none.
    private var began: Duration?
    /// The number of the newest request.
    private var newest = 0
    private var waiting: [CheckedContinuation<Turn, Never>] = []

    /// The number of notifications whose receipts wait for the next request.
    var waitingCount: Int { waiting.count }

    /// Sends the waiting receipts, or returns when a later request of another notification has sent them.
    ///
    /// - Parameters:
    ///   - clock: the phone's clock. If a request takes longer than ``AppLimits/requestTime``, because iOS has suspended it,
    ///     other requests no longer wait for it.
    ///   - request: sends all receipts that are waiting when the request begins.
    func send(_ clock: any CarillonClock, _ request: @Sendable () async -> Void) async {
        if let began, clock.uptime < began + AppLimits.requestTime {
            guard case .send = await withCheckedContinuation({ waiting.append($0) }) else { return }
        }
        began = clock.uptime
        newest += 1
        let number = newest
        let carried = waiting
        waiting = []
        await request()
        for turn in carried { turn.resume(returning: .wasSent) }
        // After a suspension a newer request may be under way, whose end lets the next one begin.
        guard number == newest else { return }
        if waiting.isEmpty {
            began = nil
        } else {
            waiting.removeFirst().resume(returning: .send)
        }
    }
}
