import CarillonCore

/// What can be known about one message on one device.
package enum TimelineEventKind: String, Sendable, Hashable, CaseIterable, Codable {
    /// Accepted by the service, on its disk.
    case queued
    /// Handed to the connection to APNs.
    case sent
    /// APNs accepted it.
    case accepted
    /// APNs refused it; the event has the reason.
    case rejected
    /// APNs' answer never came: it may or may not have been accepted.
    case unanswered
    /// It will not be sent (any more); `detail` says why.
    case cancelled
    /// The push has reached code of the app.
    case received
    /// It was put on the screen or into the list.
    case shown
    /// The person opened the app from it.
    case opened
    /// The person chose an action; `detail` is the action's identifier.
    case acted
    /// The person swiped it away.
    case dismissed
    /// It was not sent or not shown, or was taken away, because its time had passed.
    case expired
    /// It is not on this phone's screen, and will not come back.
    case recalled

    /// The kind of event that a receipt becomes.
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

    /// Whether only the phone can say it.
    package var isReceipt: Bool { ReceiptEvent(rawValue: rawValue) != nil }
}
