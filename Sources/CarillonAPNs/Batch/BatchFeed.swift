import Synchronization

/// A relay that passes a batch's notifications to the client, and their outcomes to the consumer, the batch's iterator.
///
/// One task reads notifications, and another one consumes outcomes. Both handle many notifications at a time, because every
/// exchange between them takes a lock and often wakes a thread.
final class BatchFeed: Sendable {
    private struct State {
        var window: BatchWindow
        var feeder: CheckedContinuation<Void, Never>?
        var consumer: CheckedContinuation<Void, Never>?
    }

    private let client: APNsClient
    private let deadline: Duration?
    private let state: Mutex<State>
    private let hasStopped = Atomic(false)

    init(client: APNsClient, window: Int, deadline: Duration?) {
        self.client = client
        self.deadline = deadline
        state = Mutex(State(window: BatchWindow(size: window)))
    }

    /// Whether the consumer has stopped the batch and wants no more outcomes.
    var isStopped: Bool { hasStopped.load(ordering: .sequentiallyConsistent) }

    /// Reads notifications and sends them, until the sequence ends or throws, or the batch is stopped.
    func run<Notifications: AsyncSequence>(_ notifications: Notifications) async
    where Notifications.Element == APNsNotification {
        var iterator = notifications.makeAsyncIterator()
        var places = 0
        do {
            while !isStopped {
                if places == 0 { places = await takePlaces() }
                guard let notification = try await iterator.next() else { return end(.finished, unused: places) }
                places -= 1
                send(notification)
            }
            end(.failed(CancellationError()), unused: places)
        } catch {
            end(.failed(error), unused: places)
        }
    }

    /// Waits for the next outcomes and returns them; returns `nil` after the last.
    ///
    /// - Parameter actor: the caller's actor.
    /// - Returns: at least one outcome.
    /// - Throws: the error of the sequence; `CancellationError` if the batch was stopped.
    func next(isolation actor: isolated (any Actor)?) async throws -> [APNsDelivery]? {
        while true {
            guard !isStopped else { throw CancellationError() }
            let (next, feeder) = state.withLock { ($0.window.next(), Self.takeFeeder(&$0)) }
            feeder?.resume()
            switch next {
            case .outcomes(let deliveries): return deliveries
            case .ended(.finished): return nil
            case .ended(.failed(let error)): throw error
            case .wait: await waitForOutcome(isolation: actor)
            }
        }
    }

    /// Stops sending, and cancels the requests in progress.
    func stop() {
        hasStopped.store(true, ordering: .sequentiallyConsistent)
        client.cancelAll(of: self)
        let (feeder, consumer) = state.withLock { state in
            defer {
                state.feeder = nil
                state.consumer = nil
            }
            return (state.feeder, state.consumer)
        }
        feeder?.resume()
        consumer?.resume()
    }

    func completed(_ deliveries: [APNsDelivery]) {
        let consumer = state.withLock { state in
            state.window.completed(deliveries)
            return Self.takeConsumer(&state)
        }
        consumer?.resume()
    }

    private func send(_ notification: APNsNotification) {
        do {
            let request = try client.makeRequest(
                notification, deadline: client.deadline(after: deadline), caller: .batch(self))
            client.submit(CollectionOfOne(request))
        } catch {
            let refused = PendingSend(.notification(notification), deadline: client.deadline(after: .zero))
            completed([APNsDelivery(refused, .failure(error))])
        }
    }

    private func end(_ ending: BatchWindow.Ending, unused places: Int) {
        let consumer = state.withLock { state in
            state.window.end(ending, unused: places)
            return Self.takeConsumer(&state)
        }
        consumer?.resume()
    }

    /// Waits until the batch may read further notifications into memory, and reserves room for them (``BatchWindow``).
    ///
    /// - Returns: the number of notifications that may be read; 0 if the batch was stopped.
    private func takePlaces() async -> Int {
        while !isStopped {
            let places = state.withLock { $0.window.takePlaces() }
            if places > 0 { return places }
            await withCheckedContinuation { continuation in
                let mustWait = state.withLock { state in
                    guard !state.window.isWorthFilling, !isStopped else { return false }
                    state.feeder = continuation
                    return true
                }
                if !mustWait { continuation.resume() }
            }
        }
        return 0
    }

    private func waitForOutcome(isolation actor: isolated (any Actor)?) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let mustWait = state.withLock { state in
                    guard !state.window.hasNews, !isStopped else { return false }
                    state.consumer = continuation
                    return true
                }
                if !mustWait { continuation.resume() }
            }
        } onCancel: {
            stop()
        }
    }

    private static func takeFeeder(_ state: inout State) -> CheckedContinuation<Void, Never>? {
        guard state.window.isWorthFilling else { return nil }
        defer { state.feeder = nil }
        return state.feeder
    }

    private static func takeConsumer(_ state: inout State) -> CheckedContinuation<Void, Never>? {
        guard state.window.hasNews else { return nil }
        defer { state.consumer = nil }
        return state.consumer
    }
}
