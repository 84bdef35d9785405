import CarillonCore

/// A type of event in an app's feed; docs/events.md describes each.
package enum FeedEventType: String, Sendable, Hashable, CaseIterable, Codable {
    case messageAccepted = "message.accepted"
    case messageReplaced = "message.replaced"
    case messagePaused = "message.paused"
    case messageResumed = "message.resumed"
    case messageCancelled = "message.cancelled"
    case messageRecalled = "message.recalled"
    case messageFinished = "message.finished"
    case pushQueued = "push.queued"
    case pushSent = "push.sent"
    case pushAccepted = "push.accepted"
    case pushRejected = "push.rejected"
    case pushUnanswered = "push.unanswered"
    case pushCancelled = "push.cancelled"
    case messageReceived = "message.received"
    case messageShown = "message.shown"
    case messageOpened = "message.opened"
    case messageActed = "message.acted"
    case messageDismissed = "message.dismissed"
    case messageExpired = "message.expired"
    case messageRemoved = "message.removed"
    case deviceRegistered = "device.registered"
    case deviceChanged = "device.changed"
    case deviceQuarantined = "device.quarantined"
    case deviceGone = "device.gone"
    case userSignedIn = "user.signed_in"
    case userSignedOut = "user.signed_out"
    case liveActivityStarted = "live_activity.started"
    case liveActivityUpdated = "live_activity.updated"
    case liveActivityStale = "live_activity.stale"
    case liveActivityEnded = "live_activity.ended"
    case liveActivityDismissed = "live_activity.dismissed"
    case liveActivityUndecodable = "live_activity.undecodable"
    case sendingStopped = "sending.stopped"
    case sendingResumed = "sending.resumed"
    case certificateExpiring = "certificate.expiring"
    case webhookSetAside = "webhook.set_aside"
    case webhookResumed = "webhook.resumed"
    /// A backend has asked for it; only one webhook gets it, whatever types it wants.
    case webhookTest = "webhook.test"

    /// The types that a reader can ask for.
    static let selectable = allCases.filter { $0 != .webhookTest }

    /// Returns the type with a name, if a reader can ask for it.
    init?(selectable name: String) {
        guard let type = Self.selectable.first(where: { $0.rawValue == name }) else { return nil }
        self = type
    }

    /// Returns the type of the event that tells a receipt of a Live Activity.
    init(_ event: LiveActivityReceipt.Event) {
        self =
            switch event {
            case .started: .liveActivityStarted
            case .updated: .liveActivityUpdated
            case .stale: .liveActivityStale
            case .ended: .liveActivityEnded
            case .dismissed: .liveActivityDismissed
            case .undecodable: .liveActivityUndecodable
            }
    }

    /// Returns the type of the event that tells a timeline's event of this kind.
    init(_ kind: TimelineEventKind) {
        self =
            switch kind {
            case .queued: .pushQueued
            case .sent: .pushSent
            case .accepted: .pushAccepted
            case .rejected: .pushRejected
            case .unanswered: .pushUnanswered
            case .cancelled: .pushCancelled
            case .received: .messageReceived
            case .shown: .messageShown
            case .opened: .messageOpened
            case .acted: .messageActed
            case .dismissed: .messageDismissed
            case .expired: .messageExpired
            case .recalled: .messageRemoved
            }
    }
}
