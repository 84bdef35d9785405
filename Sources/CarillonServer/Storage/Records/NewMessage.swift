import CarillonCore
import Foundation

/// A message that has been checked and is ready to be accepted.
package struct NewMessage: Sendable, Hashable {
    var id: MessageID
    /// The app that the message belongs to.
    var app: AppReference
    var mode: DeliveryMode
    /// The scheduled time; `nil` to send it at once.
    var sendAt: Timestamp?
    /// The time at which it expires; `nil` for never.
    var until: Timestamp?
    /// The sender's payload as JSON, without Carillon's key.
    var payload: Data
    /// Whether the service puts the user's unread count on the icon.
    var badgeIsUnreadCount: Bool
    /// Whether it adds one unread message for each addressed user.
    var countsAsUnread: Bool
    /// The other push service whose format the payload carries beside Carillon's own.
    var dialect = MessageDialect.carillon
    var audience: Audience
    /// Its texts in other languages, and whether they have variables.
    var texts = MessageTexts()
    /// The variables' values for each named user.
    var variables: [String: [String: String]] = [:]
    /// Whether it may replace a message with this id that has another audience.
    var replacesOtherAudience = false
    /// Whether it is removed from devices that may show it once ``until`` has passed.
    var removesExpired = false
    /// Whether the text that the person types into the notification is stored.
    var keepsReplies = false
    /// The SHA-256 of the request's canonical body, which identifies a repetition.
    var fingerprint: Data
    var idempotencyKey: IdempotencyKey?

    /// Returns the state of the message right after its acceptance.
    func state(at now: Timestamp) -> MessageState { sendAt.map { $0 > now } == true ? .scheduled : .accepted }
}

/// The caller's key for one request; each API key has a key space of its own.
package struct IdempotencyKey: Sendable, Hashable {
    /// The id of the API key.
    var owner: String
    /// The value of the header `Idempotency-Key`.
    var key: String
}

/// The outcome of ``MessageCalls/accept(_:at:)``.
package enum Acceptance: Sendable, Hashable {
    /// The message is on the disk.
    case accepted(SendAnswer, [TimelineEvent])
    /// The message had been accepted before; nothing was changed.
    case repeated(SendAnswer)
    case refused(Refusal)

    package enum Refusal: Sendable, Hashable {
        /// The idempotency key was used before with another body.
        case idempotencyKeyReused
        /// This very message was recalled; the id may be used again with other content.
        case recalled
        /// This very message was cancelled; the id may be used again with other content.
        case cancelled
        /// The earlier message with this id has gone out, so its replacement cannot be scheduled but only sent at once.
        case alreadySent
        /// The id belongs to a message with another audience, and the request does not ask to replace it.
        case otherAudience
        /// The named recipients have more devices than ``StoreLimits/audienceDevices``.
        case audienceTooLarge
        /// The message is for more devices than ``StoreLimits/audienceDevices`` and would replace a message that has a row
        /// for each device.
        case needsRanges
    }
}
