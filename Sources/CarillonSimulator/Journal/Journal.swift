import CarillonCore
import DequeModule
import Synchronization

/// Remembers what happened, up to a limit, and tells whoever listens.
final class Journal: Sendable {
    private struct State {
        var lastNumber = 0
        var nextListener = 0
        var events: Deque<SimulatorEvent> = []
        var listeners: [Int: AsyncStream<SimulatorEvent>.Continuation] = [:]
        var isFinished = false
    }

    /// How many events are kept, and how many a listener may lag behind before it loses the oldest; 0 is no journal.
    let limit: Int
    private let state = Mutex(State())

    init(limit: Int) { self.limit = max(0, limit) }

    var events: [SimulatorEvent] { state.withLock { Array($0.events) } }

    func append(_ kind: SimulatorEvent.Kind, at now: Timestamp) {
        guard limit > 0 else { return }
        state.withLock { state in
            state.lastNumber += 1
            let event = SimulatorEvent(number: state.lastNumber, at: now, kind: kind)
            if state.events.count == limit { state.events.removeFirst() }
            state.events.append(event)
            for listener in state.listeners.values { listener.yield(event) }
        }
    }

    /// What is remembered, then what comes, until the simulator is shut down.
    func stream() -> AsyncStream<SimulatorEvent> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: SimulatorEvent.self, bufferingPolicy: .bufferingNewest(max(limit, 1)))
        let number = state.withLock { state -> Int? in
            for event in state.events { continuation.yield(event) }
            guard !state.isFinished else { return nil }
            state.nextListener += 1
            state.listeners[state.nextListener] = continuation
            return state.nextListener
        }
        guard let number else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.listeners.removeValue(forKey: number) }
        }
        return stream
    }

    func clear() { state.withLock { $0.events.removeAll() } }

    func finish() {
        let listeners = state.withLock { state in
            state.isFinished = true
            defer { state.listeners = [:] }
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.finish() }
    }
}
