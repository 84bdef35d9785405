import CarillonCore

/// What a store has to tell of outcomes that it has written down.
package struct SettledPushes: Sendable, Hashable {
    /// Pushes of one message that APNs has accepted, of which nothing else is to be told.
    struct Accepted: Sendable, Hashable {
        let message: MessageID
        let settlements: ArraySlice<Settlement>
        /// How many of ``SettledPushes/events`` come before.
        let place: Int

        fileprivate var events: [TimelineEvent] {
            settlements.flatMap { settlement in
                settlement.notes(.accepted, SendingRules()).map {
                    TimelineEvent($0, message: message, device: settlement.device)
                }
            }
        }
    }

    /// All events but those of ``accepted``.
    package var events: [TimelineEvent] = []
    /// Events of these are made only where somebody reads them: they are two for each push.
    var accepted: [Accepted] = []

    /// How many pushes ``accepted`` has.
    var acceptedCount: Int { accepted.reduce(0) { $0 + $1.settlements.count } }

    /// All events, in the order in which they were written down.
    package var timeline: [TimelineEvent] {
        var (all, told): ([TimelineEvent], Int) = ([], 0)
        for group in accepted {
            all += events[told..<group.place] + group.events
            told = group.place
        }
        return all + events[told...]
    }
}
