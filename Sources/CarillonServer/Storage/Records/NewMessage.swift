import CarillonCore
import Foundation

/// A checked message, ready to be accepted.
package struct NewMessage: Sendable, Hashable {
    var id: MessageID
    /// The app that the message belongs to.
    var app: AppReference
    var mode: DeliveryMode
    /// The scheduled time; `nil` to send it at once.
    var sendAt: Timestamp?
    /// The time at which the message expires; `nil` for never.
    var until: Timestamp?
    /// The sender's payload as JSON, without Carillon's key.
    var payload: Data
    /// Whether the badge of each push is the user's unread count.
    var badgeIsUnreadCount: Bool
    /// Whether the message counts as unread for each addressed user.
    var countsAsUnread: Bool
    /// The other push service whose format the payload carries in addition to Carillon's.
    var dialect = MessageDialect.carillon
    var audience: Audience
    /// The message's texts in other languages, and whether the texts have variables.
    var texts = MessageTexts()
    /// The values of the variables, for each named user.
    var variables: [String: [String: String]] = [:]
    /// Whether the message may replace a message with this id and another audience.
    var replacesOtherAudience = false
    /// Whether devices that may show the message remove it once ``until`` has passed.
    var removesExpired = false
    /// Whether replies that people type into the notification are stored.
    var keepsReplies = false
    /// The SHA-256 of the canonical request, by which a repeated request is recognised.
    var fingerprint: Data
    var idempotencyKey: IdempotencyKey?

    /// Returns the state of the message right after its acceptance.
    func state(at now: Timestamp) -> MessageState { sendAt.map { $0 > now } == true ? .scheduled : .accepted }
}

/// The caller's key for one request.
///
/// Keys of different API keys are independent.
package struct IdempotencyKey: Sendable, Hashable {
    /// The id of the API key.
    var owner: String
    /// The value of the header `Idempotency-Key`.
    var key: String
}

/// The outcome of ``MessageCalls/accept(_:at:)``.
package enum Acceptance: Sendable, Hashable {
    /// The message is stored on the disk.
    case accepted(SendAnswer, [TimelineEvent])
    /// A request with an equal body was accepted before.
    ///
    /// Nothing was changed.
    case repeated(SendAnswer)
    case refused(Refusal)

    package enum Refusal: Sendable, Hashable {
        /// The idempotency key was used before with another body.
        case idempotencyKeyReused
        /// The message of this request was recalled.
        ///
        /// Its id may be used again with other content.
        case recalled
        /// The message of this request was cancelled.
        ///
        /// Its id may be used again with other content.
        case cancelled
        /// The earlier message with this id has already been sent, so its replacement cannot be scheduled.
        case alreadySent
        /// The id belongs to a message with another audience, and the request does not ask to replace that one.
        case otherAudience
        /// The named recipients have more devices than ``StoreLimits/audienceDevices``.
        case audienceTooLarge
        /// The message has more than ``StoreLimits/audienceDevices`` devices, but would replace a message with rows.
        ///
        /// A message with so many devices can only be sent by ranges.
        case needsRanges
    }
}
