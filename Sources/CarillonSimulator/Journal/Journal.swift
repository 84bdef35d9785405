import CarillonCore
import DequeModule
import Synchronization

/// Keeps the simulator's events up to a limit, and passes new events to all readers.
final class Journal: Sendable {
    private struct State {
        var lastNumber = 0
        var events: Deque<SimulatorEvent> = []
    }

    /// The number of events that are kept.
    ///
    /// A reader that falls further behind loses the oldest events. With 0, the journal keeps nothing.
    let limit: Int
    private let state = Mutex(State())
    private let hub: EventHub<SimulatorEvent>

    init(limit: Int) {
        self.limit = max(0, limit)
        hub = EventHub(backlogLimit: limit, overflow: .losesOldest)
    }

    var events: [SimulatorEvent] { state.withLock { Array($0.events) } }

    func append(_ kind: SimulatorEvent.Kind, at now: Timestamp) {
        guard limit > 0 else { return }
        hub.publish {
            state.withLock { state in
                state.lastNumber += 1
                let event = SimulatorEvent(number: state.lastNumber, at: now, kind: kind)
                if state.events.count == limit { state.events.removeFirst() }
                state.events.append(event)
                return event
            }
        }
    }

    /// Returns the kept events, followed by new ones until the simulator is shut down.
    func stream() -> AsyncStream<SimulatorEvent> {
        hub.subscribe(greeting: { events }) ?? AsyncStream { $0.finish() }
    }

    func clear() { state.withLock { $0.events.removeAll() } }

    func finish() { hub.finish() }
}
