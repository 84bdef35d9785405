import CarillonCore

/// The events that a store publishes after it has written down outcomes.
package struct SettledPushes: Sendable, Hashable {
    /// Accepted pushes of one message that need no further events.
    struct Accepted: Sendable, Hashable {
        let message: MessageID
        let settlements: ArraySlice<Settlement>
        /// The number of ``SettledPushes/events`` that precede this group.
        let place: Int

        fileprivate var events: [TimelineEvent] {
            settlements.flatMap { settlement in
                settlement.notes(.accepted, SendingRules()).map {
                    TimelineEvent($0, message: message, device: settlement.device)
                }
            }
        }
    }

    /// All events except those of ``accepted``.
    package var events: [TimelineEvent] = []
    /// The accepted pushes, whose events (two for each push) are made only if somebody reads them.
    var accepted: [Accepted] = []

    /// The number of pushes in ``accepted``.
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
