import CarillonCore

/// A kind of event on the timeline of one message for one device.
package enum TimelineEventKind: String, Sendable, Hashable, CaseIterable, Codable {
    /// The service has stored the message on its disk.
    case queued
    /// The push was handed to the connection to APNs.
    case sent
    /// APNs has accepted the push.
    case accepted
    /// APNs has rejected the push.
    ///
    /// The event's `reason` is the reason that APNs gave.
    case rejected
    /// APNs did not answer.
    ///
    /// APNs may or may not have accepted the push.
    case unanswered
    /// The push will not be sent.
    ///
    /// The event's `detail` is the reason.
    case cancelled
    /// The push has reached code of the app.
    case received
    /// The notification was put on the screen or into the notification center.
    case shown
    /// The person opened the app from the notification.
    case opened
    /// The person chose an action of the notification.
    ///
    /// The event's `detail` is the action's identifier.
    case acted
    /// The person swiped the notification away.
    case dismissed
    /// The message was not sent, was not shown, or was removed, because its `until` had passed.
    case expired
    /// The message is not on this phone's screen and will not come back.
    case recalled

    /// Returns the kind of event that a receipt becomes on the timeline.
    package init(_ receipt: ReceiptEvent) {
        self =
            switch receipt {
            case .received: .received
            case .shown: .shown
            case .opened: .opened
            case .acted: .acted
            case .dismissed: .dismissed
            case .expired: .expired
            case .recalled: .recalled
            }
    }

    /// Whether only the phone can report the event.
    package var isReceipt: Bool { ReceiptEvent(rawValue: rawValue) != nil }
}
