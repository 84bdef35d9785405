import CarillonCore

/// A kind of event in the timeline of a Live Activity on one phone.
package enum ActivityEventKind: String, Sendable, Hashable, CaseIterable, Codable {
    /// APNs has accepted a push.
    case accepted
    /// APNs has rejected a push.
    case rejected
    case started
    case updated
    case stale
    case ended
    case dismissed
    case undecodable

    init(_ event: LiveActivityReceipt.Event) {
        self =
            switch event {
            case .started: .started
            case .updated: .updated
            case .stale: .stale
            case .ended: .ended
            case .dismissed: .dismissed
            case .undecodable: .undecodable
            }
    }
}
