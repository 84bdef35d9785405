import CarillonApp
import CarillonMessaging
import Synchronization

/// The events that the SDK reported, in order.
final class EventLog: Sendable {
    private let events = Mutex<[CarillonEvent]>([])

    func add(_ event: CarillonEvent) { events.withLock { $0.append(event) } }
    var all: [CarillonEvent] { events.withLock(\.self) }
}
