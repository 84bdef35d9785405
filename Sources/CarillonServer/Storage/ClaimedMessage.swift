import CarillonCore

/// The message of a ``ClaimedDelivery``.
package struct ClaimedMessage: Sendable, Hashable {
    package var id: MessageID
    package var mode: DeliveryMode
    package var until: Timestamp?
    package var payload: Payload
    package var badgeIsUnreadCount: Bool
    package var dialect: MessageDialect

    package init(
        id: MessageID, mode: DeliveryMode, until: Timestamp?, payload: Payload, badgeIsUnreadCount: Bool,
        dialect: MessageDialect = .carillon
    ) {
        self.id = id
        self.mode = mode
        self.until = until
        self.payload = payload
        self.badgeIsUnreadCount = badgeIsUnreadCount
        self.dialect = dialect
    }
}

extension ClaimedMessage {
    /// The notification's identifier on the phone.
    var identifier: String { dialect.identifier(of: id) }
}
