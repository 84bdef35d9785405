import CarillonCore

/// The events that the store's caller must publish after the store has stored outcomes of pushes.
package struct SettledPushes: Sendable {
    /// The events to publish, except the events of the pushes in ``accepted``.
    package var events: [TimelineEvent] = []
    /// Groups of pushes that APNs accepted; ``events`` does not contain the events of these pushes.
    ///
    /// Each of these pushes has two events, which are made only when a subscriber reads them. A group's `place` is the number of
    /// elements of ``events`` that come before the group's events.
    var accepted: [(pushes: ArraySlice<SentPush>, place: Int)] = []

    /// The number of pushes in ``accepted``.
    var acceptedCount: Int { accepted.reduce(0) { $0 + $1.pushes.count } }

    /// The events to publish, including those of pushes that APNs accepted, in the order in which they were stored.
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
