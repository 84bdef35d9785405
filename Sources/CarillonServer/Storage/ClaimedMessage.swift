import CarillonCore

/// The message of a ``ClaimedDelivery``.
package struct ClaimedMessage: Sendable, Hashable {
    package var id: MessageID
    var mode: DeliveryMode
    var until: Timestamp?
    package var payload: Payload
    var badgeIsUnreadCount: Bool
    var dialect = MessageDialect.carillon
}

extension ClaimedMessage {
    /// The notification's identifier on the phone.
    var identifier: String { dialect.identifier(of: id) }
}
