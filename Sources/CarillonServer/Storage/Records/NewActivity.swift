import CarillonCore
import Foundation

/// A Live Activity from a backend's request, which has been checked and can be started.
package struct NewActivity: Sendable, Hashable {
    var id: MessageID
    var app: AppReference
    /// The name of the app's type of attributes.
    var type: String
    var attributes: JSONObject
    /// The alert of the start.
    var alert: JSONObject
    /// The members of `aps` that the backend chose, without the alert.
    var content: JSONObject
    var audience: Audience
    /// The greatest number of phones without a broadcast channel, at most ``StoreLimits/activityPhones``.
    var channelFrom = StoreLimits.activityPhones
    /// The SHA-256 of the request, by which the service recognises a repeated one.
    var fingerprint: Data
    var idempotencyKey: IdempotencyKey?
}

/// A backend's request to update a Live Activity, or to end it.
package struct LiveActivityChange: Sendable, Hashable {
    var id: MessageID
    var app: AppReference
    /// The members of `aps` that the backend chose; without `content-state`, the newest state stays.
    var content: JSONObject
    var isEnd: Bool
    /// The SHA-256 of the request, by which the service recognises a repeated one.
    var fingerprint: Data
    var idempotencyKey: IdempotencyKey?
}

/// The outcome of a backend's call about a Live Activity.
package enum ActivityAcceptance: Sendable, Hashable {
    /// The change is on the disk, or the request repeats an earlier one and has changed nothing.
    case accepted(LiveActivityReport)
    case refused(Refusal)

    package enum Refusal: Sendable, Hashable {
        case unknown
        /// The idempotency key was used before for another request.
        case idempotencyKeyReused
        /// A Live Activity with this id exists, and was started by another request.
        case exists
        case ended
        /// ``StoreLimits/activityLifetime`` has passed since the start.
        case over
        /// The pushes with the new state would be too large; the text gives the reason.
        case tooLarge(String)
    }
}
