import Synchronization

/// Notifications that are handed in together: whoever does so is told the outcomes as they come, many at a time, without a
/// task for each.
final class SendList: Sendable {
    /// The result of the notification at a place of the list.
    typealias Outcome = (place: Int, result: Result<APNsOutcome, APNsError>)

    private struct State {
        /// The number of notifications without an outcome.
        var open: Int
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let told: @Sendable ([Outcome]) -> Void
    private let state: Mutex<State>
    private let hasStopped = Atomic(false)

    init(count: Int, told: @escaping @Sendable ([Outcome]) -> Void) {
        self.told = told
        state = Mutex(State(open: count))
    }

    /// Whether its caller has given up.
    var isStopped: Bool { hasStopped.load(ordering: .sequentiallyConsistent) }

    func stop() { hasStopped.store(true, ordering: .sequentiallyConsistent) }

    /// Tells outcomes; those of one call come from one thread.
    func completed(_ outcomes: [Outcome]) {
        told(outcomes)
        let waiter = state.withLock { state in
            state.open -= outcomes.count
            guard state.open == 0 else { return CheckedContinuation<Void, Never>?.none }
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }

    /// Returns after the last outcome.
    func finished() async {
        await withCheckedContinuation { continuation in
            let mustWait = state.withLock { state in
                guard state.open > 0 else { return false }
                state.waiter = continuation
                return true
            }
            if !mustWait { continuation.resume() }
        }
    }
}

extension APNsClient {
    /// Sends notifications that are all there, and tells their outcomes as they come.
    ///
    /// - Parameters:
    ///   - notifications: what to send.
    ///   - deadline: for each of them. The default is the configuration's.
    ///   - outcomes: told the places in the list and what became of them, each once, also when the task is cancelled; it is
    ///     called on the client's event loop and must not block.
    package func send(
        _ notifications: [APNsNotification], deadline: Duration? = nil,
        outcomes: @escaping @Sendable ([(place: Int, result: Result<APNsOutcome, APNsError>)]) -> Void
    ) async {
        let list = SendList(count: notifications.count, told: outcomes)
        var refused: [SendList.Outcome] = []
        var requests: [PendingSend] = []
        requests.reserveCapacity(notifications.count)
        for (place, notification) in notifications.enumerated() {
            do {
                requests.append(
                    try makeRequest(notification, deadline: deadline, caller: .list(list, place: place)))
            } catch {
                refused.append((place, .failure(error)))
            }
        }
        if !refused.isEmpty { list.completed(refused) }
        submit(requests)
        await withTaskCancellationHandler {
            await list.finished()
        } onCancel: {
            list.stop()
            cancelAll(of: list)
        }
    }
}
