import CarillonCore

extension [TimelineEvent] {
    /// Returns the events in order of time.
    ///
    /// Events with equal times are put into the order in which they can happen.
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
