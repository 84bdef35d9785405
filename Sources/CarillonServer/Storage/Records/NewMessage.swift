import CarillonCore
import Foundation

/// A message from a backend's request, checked and ready to be accepted.
package struct NewMessage: Sendable, Hashable {
    var id: MessageID
    /// The app that the message belongs to.
    var app: AppReference
    var mode: DeliveryMode
    /// The scheduled time; `nil` to send it at once.
    var sendAt: Timestamp?
    /// The time at which the message expires; `nil` for never.
    var until: Timestamp?
    /// The backend's payload as JSON, without Carillon's key.
    var payload: Data
    /// Whether the badge of each push is the user's unread count.
    var badgeIsUnreadCount: Bool
    /// Whether the message counts as unread for each addressed user.
    var countsAsUnread: Bool
    /// The format of another push service that the payload has in addition to Carillon's; ``MessageDialect/carillon`` for none.
    var dialect = MessageDialect.carillon
    var audience: Audience
    /// The message's texts in other languages, and whether all texts contain variables for the recipients' values.
    var texts = MessageTexts()
    /// The values of the texts' variables, by the id of the user who gets them.
    var variables: [String: [String: String]] = [:]
    /// Whether the message may replace the earlier message with this id even if the earlier message has another audience.
    var replacesOtherAudience = false
    /// Whether devices that may show the message remove it once ``until`` has passed.
    var removesExpired = false
    /// Whether replies that people type into the notification are stored.
    var keepsReplies = false
    /// The SHA-256 of the request in a canonical form, by which the service recognises a repeated request.
    var fingerprint: Data
    var idempotencyKey: IdempotencyKey?

    /// Returns the state of the message right after its acceptance.
    func state(at now: Timestamp) -> MessageState { sendAt.map { $0 > now } == true ? .scheduled : .accepted }
}

/// The idempotency key that a caller has chosen for one request.
///
/// Requests with different API keys can use equal idempotency keys.
package struct IdempotencyKey: Sendable, Hashable {
    /// The id of the API key.
    var owner: String
    /// The value of the header `Idempotency-Key`.
    var key: String
}

/// The outcome of ``MessageCalls/accept(_:at:)``.
package enum Acceptance: Sendable, Hashable {
    /// The message was accepted and is on the disk; the values are the answer and the events to publish.
    case accepted(SendAnswer, [TimelineEvent])
    /// A request with an equal body was accepted before.
    ///
    /// The repetition has changed nothing.
    case repeated(SendAnswer)
    case refused(Refusal)

    package enum Refusal: Sendable, Hashable {
        /// The idempotency key was used before for a request with another body.
        case idempotencyKeyReused
        /// An equal request was accepted before, and its message was recalled.
        ///
        /// The message's id may be used again with other content.
        case recalled
        /// An equal request was accepted before, and its message was cancelled.
        ///
        /// The message's id may be used again with other content.
        case cancelled
        /// The earlier message with the request's id has already been sent, so its replacement cannot be scheduled.
        case alreadySent
        /// The request's id belongs to a message with another audience, and the request does not allow replacing it.
        case otherAudience
        /// The message's named recipients have more devices than ``StoreLimits/audienceDevices``.
        case audienceTooLarge
        /// The message has more than ``StoreLimits/audienceDevices`` devices, but would replace a message with a row for each
        /// device.
        ///
        /// A message with so many devices can only be sent as ranges of devices (``RangeRules``).
        case needsRanges
    }
}
