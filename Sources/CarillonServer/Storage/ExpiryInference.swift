import CarillonCore

/// What may be concluded about a message whose time has passed, for both engines.
enum ExpiryInference {
    /// Adds an inferred `expired` where APNs has accepted a push and no receipt came before the validity passed. It
    /// claims no more than that: the phone may have been off, or the app has no SDK.
    static func applied(
        to events: [TimelineEvent], state: DeliveryState, until: Timestamp?, now: Timestamp
    ) -> [TimelineEvent] {
        guard let until, until <= now, state == .accepted || state == .unanswered, let last = events.last,
            !events.contains(where: { $0.event.isReceipt })
        else { return events }
        let inferred = TimelineEvent(
            message: last.message, device: last.device, event: .expired, at: until, revision: last.revision,
            detail: "its validity passed before any receipt came from this device", inferred: true)
        return (events + [inferred]).inCausalOrder()
    }
}

extension [TimelineEvent] {
    /// By time, and within a millisecond by what can only follow what.
    func inCausalOrder() -> [TimelineEvent] {
        enumerated()
            .sorted {
                ($0.element.at, $0.element.event.rank, $0.offset) < ($1.element.at, $1.element.event.rank, $1.offset)
            }
            .map(\.element)
    }
}

extension TimelineEventKind {
    fileprivate var rank: Int {
        switch self {
        case .queued: 0
        case .sent: 1
        case .accepted, .rejected, .unanswered: 2
        case .cancelled: 3
        case .received: 4
        case .shown: 5
        case .opened, .acted, .dismissed: 6
        case .expired, .recalled: 7
        }
    }
}
