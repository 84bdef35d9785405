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
    /// Another push service's format in which it is sent too, beside Carillon's own.
    var dialect = MessageDialect.carillon
    /// What takes its place where its removal is not confirmed; absent unless its recall asked for that.
    var notice: RecallNotice?
    /// Whether the phone is to tell what the person types into the notification.
    var keepsReplies = false
}

extension ClaimedMessage {
    /// The notification's identifier on the phone.
    var identifier: String { dialect.identifier(of: id) }
}
