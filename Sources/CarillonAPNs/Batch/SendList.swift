import Synchronization

/// A list of notifications that are submitted together, with a closure that gets their outcomes as they come.
///
/// One call of the closure may report many outcomes, and no notification needs a task of its own.
final class SendList: Sendable {
    /// The index of a notification in the list, with the notification's result.
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

    /// Whether the caller no longer wants outcomes, because the caller's task was cancelled.
    var isStopped: Bool { hasStopped.load(ordering: .sequentiallyConsistent) }

    func stop() { hasStopped.store(true, ordering: .sequentiallyConsistent) }

    /// Passes outcomes to the caller's closure.
    ///
    /// Calls of this method never overlap.
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

    /// Waits until all notifications have an outcome.
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
    /// Sends the notifications of a list, and reports their outcomes as they come.
    ///
    /// - Parameters:
    ///   - notifications: the pushes to send.
    ///   - deadline: the time limit of each notification, counted from this call. The default is
    ///     ``APNsConfiguration/defaultDeadline``.
    ///   - outcomes: receives indices in `notifications` with their results, each index once, even if the task is cancelled.
    ///     The closure runs on the client's event loop, or for an invalid notification in the calling task. It must not block.
    package func send(
        _ notifications: [APNsNotification], deadline: Duration? = nil,
        outcomes: @escaping @Sendable ([(place: Int, result: Result<APNsOutcome, APNsError>)]) -> Void
    ) async {
        let list = SendList(count: notifications.count, told: outcomes)
        var refused: [SendList.Outcome] = []
        var requests: [PendingSend] = []
        requests.reserveCapacity(notifications.count)
        let deadline = self.deadline(after: deadline)
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
