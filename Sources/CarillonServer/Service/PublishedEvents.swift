import CarillonCore

/// A memory of recently published events, which ensures that the service publishes each event once.
///
/// A process learns of its own events in two ways: from the result of the call to the store that recorded them, and from reading
/// the changes in the store. Either may come first. The service publishes an event when it first arrives, and not again when it
/// arrives in the other way.
struct PublishedEvents: Sendable {
    /// The way in which an event arrived: in the result of this process's call to the store, or by reading the changes in the
    /// store.
    enum Way: Sendable { case ownProcess, store }

    private struct Count {
        var ownProcess = 0
        var store = 0
        var published: Int { max(ownProcess, store) }
    }

    private var counts: [TimelineEvent: Count] = [:]
    /// The remembered events in a ring buffer, which begins at the index `oldest`.
    private var order: [TimelineEvent] = []
    private var oldest = 0
    private let limit: Int

    /// Creates an empty memory of events.
    ///
    /// - Parameter limit: the greatest number of distinct events to remember. The default suffices for all events of
    ///   one read of the store.
    init(limit: Int = 4 * ServiceLimits.feedEvents) { self.limit = max(1, limit) }

    /// Records events that have arrived, and returns those that must be published now.
    ///
    /// - Parameters:
    ///   - events: the events.
    ///   - way: the way in which they arrived.
    /// - Returns: the events that have not been published yet.
    mutating func new(_ events: [TimelineEvent], from way: Way) -> [TimelineEvent] {
        events.filter { event in
            if counts[event] == nil { remember(event) }
            let before = counts[event, default: Count()].published
            switch way {
            case .ownProcess: counts[event, default: Count()].ownProcess += 1
            case .store: counts[event, default: Count()].store += 1
            }
            return counts[event, default: Count()].published > before
        }
    }

    private mutating func remember(_ event: TimelineEvent) {
        guard order.count == limit else { return order.append(event) }
        counts[order[oldest]] = nil
        order[oldest] = event
        oldest = (oldest + 1) % limit
    }
}
