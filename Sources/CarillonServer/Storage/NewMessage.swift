import CarillonCore
import Foundation

/// A message that has been checked and is ready to be accepted.
package struct NewMessage: Sendable, Hashable {
    var id: MessageID
    /// The app whose message it is.
    var app: AppReference
    var mode: DeliveryMode
    /// When it is to be sent; `nil` for at once.
    var sendAt: Timestamp?
    /// When it expires; `nil` for never.
    var until: Timestamp?
    /// The sender's payload as JSON, without Carillon's key.
    var payload: Data
    /// Whether the service puts the user's unread count on the icon.
    var badgeIsUnreadCount: Bool
    /// Whether each addressed user has one unread message more.
    var countsAsUnread: Bool
    /// Another push service's format in which it is sent too, beside Carillon's own.
    var dialect = MessageDialect.carillon
    var audience: Audience
    /// Its texts in other languages, and whether they have variables.
    var texts = MessageTexts()
    /// The values of each named user for the variables.
    var variables: [String: [String: String]] = [:]
    /// Whether it may take the place of a message with the same id for another audience.
    var replacesOtherAudience = false
    /// Whether it is removed from the devices that may show it once ``until`` has passed.
    var removesExpired = false
    /// Whether what the person types into the notification is kept.
    var keepsReplies = false
    /// SHA-256 of the request's canonical body: tells a repetition from another message.
    var fingerprint: Data
    var idempotencyKey: IdempotencyKey?

    /// Where it stands when it has been accepted.
    func state(at now: Timestamp) -> MessageState { sendAt.map { $0 > now } == true ? .scheduled : .accepted }
}
