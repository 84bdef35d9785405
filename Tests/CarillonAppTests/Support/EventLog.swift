import CarillonApp
import CarillonMessaging
import Synchronization

/// The events that the SDK reported, in order.
final class EventLog: Sendable {
    private let events = Mutex<[CarillonEvent]>([])
    private let additions = Occurrences()

    func add(_ event: CarillonEvent) {
        events.withLock { $0.append(event) }
        additions.happened()
    }

    var all: [CarillonEvent] { events.withLock(\.self) }

    /// Returns once the SDK has reported an event that `isWanted` accepts.
    func reach(_ isWanted: @Sendable (CarillonEvent) -> Bool) async {
        while true {
            let known = additions.count
            if all.contains(where: isWanted) { return }
            await additions.reach(known + 1)
        }
    }
}
