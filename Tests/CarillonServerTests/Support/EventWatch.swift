import CarillonCore
import CarillonServer
import Testing

/// Waits for what happens, instead of for time to pass.
///
/// A suite that uses it has a time limit. When that ends a wait, the watch says for what it waited.
struct EventWatch {
    private var iterator: AsyncStream<TimelineEvent>.Iterator
    private var passed: [TimelineEvent] = []

    init?(_ hub: EventHub<TimelineEvent>) {
        guard let stream = hub.subscribe() else { return nil }
        iterator = stream.makeAsyncIterator()
    }

    /// The next event of that kind about that message, on any device unless one is named. Events that it passes over
    /// are kept for a later question: what happens at once has no order to rely on.
    mutating func next(
        _ kind: TimelineEventKind, of message: String, on device: String? = nil
    ) async -> TimelineEvent? {
        func matches(_ event: TimelineEvent) -> Bool {
            event.event == kind && event.message.rawValue == message && (device == nil || event.device == device)
        }
        if let index = passed.firstIndex(where: matches) { return passed.remove(at: index) }
        while let event = await iterator.next() {
            if matches(event) { return event }
            passed.append(event)
        }
        let place = device.map { " on \($0)" } ?? ""
        let others = passed.map { "\($0.event) \($0.device)" }
        Issue.record("waited in vain for \(kind) of \(message)\(place); came: \(others)")
        return nil
    }
}
