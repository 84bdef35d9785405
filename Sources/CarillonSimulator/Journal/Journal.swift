import CarillonCore
import DequeModule
import Synchronization

/// Keeps the simulator's events up to a limit, and passes new events to all readers.
final class Journal: Sendable {
    private struct State {
        var lastNumber = 0
        var events: Deque<SimulatorEvent> = []
    }

    /// The number of events that the journal keeps.
    ///
    /// A reader that leaves more new events unread loses the oldest of them. With 0, the journal keeps nothing.
    let limit: Int
    private let state = Mutex(State())
    private let hub: EventHub<SimulatorEvent>

    init(limit: Int) {
        self.limit = max(0, limit)
        hub = EventHub(backlogLimit: limit, overflow: .losesOldest)
    }

    var events: [SimulatorEvent] { state.withLock { Array($0.events) } }

    /// The number of the newest entry; 0 before the first one.
    var lastNumber: Int { state.withLock(\.lastNumber) }

    /// Returns entries in their order, without copying the others.
    ///
    /// - Parameter numbers: the entries' numbers. Entries that the journal no longer keeps are left out.
    /// - Returns: the entries, oldest first.
    func entries(_ numbers: Range<Int>) -> [SimulatorEvent] {
        state.withLock { state in
            guard let first = state.events.first?.number else { return [] }
            // The numbers have no gaps, so a number is a place.
            let places = numbers.clamped(to: first..<first + state.events.count)
            return Array(state.events[places.lowerBound - first..<places.upperBound - first])
        }
    }

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

    /// Returns new entries only, until the simulator is shut down.
    func news() -> AsyncStream<SimulatorEvent> { hub.subscribe() ?? AsyncStream { $0.finish() } }

    func clear() { state.withLock { $0.events.removeAll() } }

    func finish() { hub.finish() }
}
