import CarillonCore

/// A queue that sends the receipts of many notifications to the service, with one HTTP request at a time.
///
/// While a request runs, the receipts of further notifications wait, and the next request carries all of them. iOS may let one
/// process handle many notifications at once. With one request per notification, the last notification would have to wait for all
/// requests before iOS shows it.
package actor ReceiptRequests {
    private enum Turn: Sendable {
        /// The waiting call must now send one HTTP request with the receipts of all notifications that wait.
        case send
        /// The waiting call need not send a request, because another call has sent the receipts of both calls.
        case wasSent
    }

    /// The uptime at which the HTTP request that is under way began; `nil` if no request is under way.
    private var began: Duration?
    /// The number of the newest HTTP request; the first has number 1.
    private var newest = 0
    private var waiting: [CheckedContinuation<Turn, Never>] = []

    /// The number of notifications whose receipts wait for the next request.
    var waitingCount: Int { waiting.count }

    /// Calls `request`, which sends all waiting receipts to the service, or waits until another call of this function has done
    /// so.
    ///
    /// The caller's receipts must be waiting before the call. If several calls wait, one of them sends the receipts of all.
    ///
    /// If a request is running, this call first waits for its end. It does not wait for a request that began more than
    /// ``AppLimits/requestTime`` ago, because iOS may have suspended the extension during that request.
    ///
    /// - Parameters:
    ///   - clock: the phone's clock.
    ///   - request: makes the HTTP request, with all receipts that are waiting when it begins.
    package func send(_ clock: any CarillonClock, _ request: @Sendable () async -> Void) async {
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
