import Synchronization

/// Reads a batch's notifications into the client and its outcomes out of it. One task feeds, one task consumes.
final class BatchFeed: Sendable {
    private struct State {
        var window: BatchWindow
        var feeder: CheckedContinuation<Void, Never>?
        var consumer: CheckedContinuation<Void, Never>?
        var isStopped = false
        var underWay: [Int: SendRequest] = [:]
        var lastNumber = 0
    }

    private let client: APNsClient
    private let deadline: Duration?
    private let state: Mutex<State>

    init(client: APNsClient, window: Int, deadline: Duration?) {
        self.client = client
        self.deadline = deadline
        state = Mutex(State(window: BatchWindow(size: window)))
    }

    /// Reads until the sequence ends, throws, or the batch is stopped.
    func run<Notifications: AsyncSequence>(_ notifications: Notifications) async
    where Notifications.Element == APNsNotification {
        var iterator = notifications.makeAsyncIterator()
        do {
            while await takePlace() {
                guard let notification = try await iterator.next() else { return end(.finished) }
                send(notification)
            }
            end(.failed(CancellationError()))
        } catch {
            end(.failed(error))
        }
    }

    /// The next outcome.
    func next() async throws -> APNsDelivery? {
        while true {
            let (next, feeder) = state.withLock { state in
                let next = state.isStopped ? .ended(.failed(CancellationError())) : state.window.next()
                return (next, Self.takeFeeder(&state))
            }
            feeder?.resume()
            switch next {
            case .outcome(let delivery): return delivery
            case .ended(.finished): return nil
            case .ended(.failed(let error)): throw error
            case .wait: await waitForOutcome()
            }
        }
    }

    /// Sends nothing more, and cancels what is under way.
    func stop() {
        let (requests, feeder, consumer) = state.withLock { state in
            state.isStopped = true
            defer {
                state.underWay = [:]
                state.feeder = nil
                state.consumer = nil
            }
            return (Array(state.underWay.values), state.feeder, state.consumer)
        }
        for request in requests { client.cancel(request) }
        feeder?.resume()
        consumer?.resume()
    }

    private func send(_ notification: APNsNotification) {
        let draft: SendDraft
        do {
            draft = try client.draft(notification, deadline: deadline)
        } catch {
            return completed(nil, APNsDelivery(notification: notification, result: .failure(error)))
        }
        let request = state.withLock { state in
            state.lastNumber += 1
            let number = state.lastNumber
            let request = SendRequest(draft) { [self] result in
                completed(number, APNsDelivery(notification: notification, result: result))
            }
            if !state.isStopped { state.underWay[number] = request }
            return state.isStopped ? nil : request
        }
        if let request { client.submit(request) }
    }

    private func completed(_ number: Int?, _ delivery: APNsDelivery) {
        let consumer = state.withLock { state in
            if let number { state.underWay[number] = nil }
            state.window.completed(delivery)
            return Self.takeConsumer(&state)
        }
        consumer?.resume()
    }

    private func end(_ ending: BatchWindow.Ending) {
        let consumer = state.withLock { state in
            state.window.end(ending)
            return Self.takeConsumer(&state)
        }
        consumer?.resume()
    }

    /// - Returns: `false` when the batch was stopped.
    private func takePlace() async -> Bool {
        while true {
            let answer = state.withLock { state in state.isStopped ? nil : state.window.takePlace() }
            guard let hasPlace = answer else { return false }
            if hasPlace { return true }
            await withCheckedContinuation { continuation in
                let mustWait = state.withLock { state in
                    let isFull = state.window.taken >= state.window.size && !state.isStopped
                    if isFull { state.feeder = continuation }
                    return isFull
                }
                if !mustWait { continuation.resume() }
            }
        }
    }

    private func waitForOutcome() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let mustWait = state.withLock { state in
                    let hasNews = state.window.hasNews || state.isStopped
                    if !hasNews { state.consumer = continuation }
                    return !hasNews
                }
                if !mustWait { continuation.resume() }
            }
        } onCancel: {
            stop()
        }
    }

    private static func takeFeeder(_ state: inout State) -> CheckedContinuation<Void, Never>? {
        guard state.window.isWorthFilling || state.isStopped else { return nil }
        defer { state.feeder = nil }
        return state.feeder
    }

    private static func takeConsumer(_ state: inout State) -> CheckedContinuation<Void, Never>? {
        guard state.window.hasNews || state.isStopped else { return nil }
        defer { state.consumer = nil }
        return state.consumer
    }
}
