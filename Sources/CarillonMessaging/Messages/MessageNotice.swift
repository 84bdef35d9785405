import CarillonCore

/// What the app or its service extension learns of the messages, while a ``MessageEvent`` is carried out.
package enum MessageNotice: Sendable, Hashable {
    /// Something new is there.
    case newData
    /// Something could not be done.
    case failed
    /// A developer should know of it.
    case report(CarillonEvent)
    /// The app's own code receives it.
    case handOver
    /// The app's own code receives these too, oldest first.
    case handOverAll([DeliveredNotification])
    /// Messages must go, and with them what the app shows of them itself.
    case removals([PushRemoval])
    /// These were in the list and may not be: with the reason of each tombstone, which is `nil` for what was read here.
    case old(recalled: [PushMessage], reasons: [Removal.Reason?], expired: [String])
    /// When the next message of the list expires; `nil` when none does.
    case nextExpiry(Timestamp?)
    /// How iOS shows a notification in the foreground.
    case present(MessagePolicy.Presentation)
    /// What becomes of an alert in the service extension.
    case treat(MessagePolicy.Treatment)
    /// The alert is a notice, which the extension lets disappear if it may.
    case isNotice
}
