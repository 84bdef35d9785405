import CarillonCore

/// The changes that a transaction of the store has made and that others must learn of: subscribers, senders, and metrics.
package struct CommittedChanges: Sendable {
    /// The recorded timeline events, except the events of the pushes in ``accepted``.
    package private(set) var events: [TimelineEvent] = []
    /// Groups of pushes that APNs accepted; ``events`` does not contain the events of these pushes.
    ///
    /// Each of these pushes has two events, which are made only when a subscriber reads them. A group's `place` is the number of
    /// elements of ``events`` that come before the group's events.
    private var accepted: [(pushes: ArraySlice<SentPush>, place: Int)] = []
    /// The messages that were accepted, replaced, recalled, paused, resumed or cancelled, in the order of these changes.
    package private(set) var messages: [MessageReference] = []
    /// The apps whose feeds have new events.
    package var fed: Set<AppNumber> = []
    /// Whether a push may be due now that was not before, so that senders look for pushes to send.
    package var mayBeDue = false

    /// Whether a request about a broadcast channel of a Live Activity may be due.
    package var mayHaveChannels = false

    package init() {}

    package mutating func add(_ event: TimelineEvent) { events.append(event) }

    /// Adds pushes that APNs accepted; their timeline events are made only when a subscriber reads them.
    package mutating func add(accepted pushes: ArraySlice<SentPush>) { accepted.append((pushes, place: events.count)) }

    package mutating func add(_ message: MessageReference) { messages.append(message) }

    /// Whether there are timeline events.
    package var hasEvents: Bool { !events.isEmpty || !accepted.isEmpty }

    package var isEmpty: Bool { !hasEvents && messages.isEmpty && fed.isEmpty && !mayBeDue }

    /// The number of pushes that APNs accepted and that have no events in ``events``.
    package var acceptedCount: Int { accepted.reduce(0) { $0 + $1.pushes.count } }

    /// All timeline events, including those of pushes that APNs accepted, in the order in which they were recorded.
    package var timeline: [TimelineEvent] {
        var (all, told): ([TimelineEvent], Int) = ([], 0)
        for group in accepted {
            all += events[told..<group.place]
            for push in group.pushes {
                guard let message = push.message else { continue }
                all += push.notes(.accepted, SendingRules()).map {
                    TimelineEvent($0, message: message, device: push.device)
                }
            }
            told = group.place
        }
        return all + events[told...]
    }
}
