import CarillonCore
import Foundation

/// A message from a backend's request, which has been checked and can be accepted.
package struct NewMessage: Sendable, Hashable {
    var id: MessageID
    /// The app that the message belongs to.
    var app: AppReference
    var mode: DeliveryMode
    /// The scheduled time; `nil` to send it at once.
    ///
    /// For a message in local time, it is the time at which the local time comes first, of all places.
    var sendAt: Timestamp?
    /// The rules by which the message reaches each device at its own moment; `nil` for any other message.
    var local: LocalSchedule?
    /// The time at which the message expires; `nil` for never.
    var until: Timestamp?
    /// Whether the message is delivered now or never (``MessageEnd/now``).
    var isNowOrNever = false
    /// The payload that the backend sent, as JSON; it lacks the member `carillon`, which the service adds to each push.
    var payload: Data
    /// Whether the badge of each push is the user's unread count.
    var badgeIsUnreadCount: Bool
    /// Whether the message counts as unread for each addressed user.
    var countsAsUnread: Bool
    /// The format of the payload: only Carillon's own, which is the default, or also that of another push service
    /// (``MessageDialect``).
    var dialect = MessageDialect.carillon
    var audience: Audience
    /// The message's texts in other languages, and whether its texts are templates with variables for each recipient.
    var texts = MessageTexts()
    /// The values of the texts' variables, by the id of the user who gets them.
    var variables: [ExactText: [String: String]] = [:]
    /// Whether this message may replace an earlier message with its id even if the earlier one has another audience.
    var replacesOtherAudience = false
    /// Whether devices remove the message from the screen once ``until`` has passed.
    var removesExpired = false
    /// Whether replies that people type into the notification are stored.
    var keepsReplies = false
    /// The campaign whose figures count the message; `nil` for none.
    var campaign: String?
    /// The SHA-256 of the request in a canonical form, by which the service recognises a repeated request.
    var fingerprint: Data
    var idempotencyKey: IdempotencyKey?

    /// Returns the time after which no push of the message is sent; `nil` if there is no such time.
    ///
    /// The function is for a message whose deliveries are stored in one row for each device.
    func lastMoment(_ rules: SendingRules, at now: Timestamp) -> Timestamp? {
        guard isNowOrNever else { return until }
        let start = max(now, local?.latest ?? sendAt ?? now)
        return start + rules.lifetime(isNowOrNever: true, isRanged: false)
    }

    /// Returns the state of the message right after its acceptance.
    func state(at now: Timestamp) -> MessageState { sendAt.map { $0 > now } == true ? .scheduled : .accepted }
}

/// The idempotency key that a caller has chosen for one request.
///
/// Requests with different API keys can use equal idempotency keys.
package struct IdempotencyKey: Sendable, Hashable {
    /// The id of the API key with which the request was sent.
    var owner: String
    /// The value of the header `Idempotency-Key`.
    var key: String
}

/// The outcome of accepting a message (``MessageCalls/accept(_:at:)``).
package enum Acceptance: Sendable, Hashable {
    /// The message was accepted and is on the disk; the value is the answer to the backend.
    case accepted(SendAnswer)
    /// The request repeats an earlier request with an equal body; the value is the answer to the backend.
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
        /// An earlier message with the request's id has already been sent, so the request cannot replace it with a scheduled
        /// message.
        case alreadySent
        /// A message with the request's id exists and has another audience, and the request does not allow replacing that
        /// message.
        case otherAudience
        /// The message's named recipients have more devices than ``StoreLimits/audienceDevices``.
        case audienceTooLarge
        /// The message has too many devices to be stored like the earlier message that it would replace: in one row for each
        /// device.
        ///
        /// For more than ``StoreLimits/audienceDevices`` devices, deliveries must be kept as bitmaps, a bit for each device
        /// (``RangeRules``).
        case needsRanges
    }
}
