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
    /// What was accepted although strict rules would not.
    var note: String?
}
