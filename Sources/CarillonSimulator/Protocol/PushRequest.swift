import CarillonCore
import Foundation

/// What the headers of an acceptable request say.
struct PushRequest: Sendable, Hashable {
    var topic: String
    /// The topic without its push type's suffix: the app's bundle id.
    var bundleID: String
    var pushType: PushType
    var priority: Int
    var expiration: ExpirationHeader
    var collapseID: String?
    var rule: PushTypeRule
}

/// The three meanings of `apns-expiration`.
public enum ExpirationHeader: Sendable, Hashable {
    /// The header was absent: kept as long as APNs keeps anything.
    case unspecified
    /// 0: one attempt, not stored.
    case oneAttempt
    /// Kept until then, though no longer than 30 days.
    case at(Timestamp)
}
