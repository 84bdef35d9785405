import CarillonCore

/// The message of a ``ClaimedDelivery``.
package struct ClaimedMessage: Sendable, Hashable {
    package var id: MessageID
    var mode: DeliveryMode
    var until: Timestamp?
    /// The sender's payload, without Carillon's key.
    package var payload: Payload
    /// Whether the service puts the user's unread count on the icon.
    var badgeIsUnreadCount: Bool
    /// The other push service whose format the payload carries beside Carillon's own.
    var dialect = MessageDialect.carillon
    /// The notice that replaces the message if its removal is not confirmed; `nil` unless the recall asked for a notice.
    var notice: RecallNotice?
    /// Whether the phone reports the text that the person types into the notification.
    var keepsReplies = false
}

extension ClaimedMessage {
    /// The notification's identifier on the phone.
    var identifier: String { dialect.identifier(of: id) }
}
