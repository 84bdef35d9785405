import CarillonCore
import Foundation

/// The headers of an acceptable request, parsed.
struct PushRequest: Sendable, Hashable {
    var topic: String
    /// The topic without its push type's suffix: the app's bundle id.
    var bundleID: String
    var pushType: PushType
    var priority: Int
    var expiration: ExpirationHeader
    var collapseID: String?
    var rule: PushTypeRule
    /// A tolerated breach of a strict rule; `nil` when there is none.
    var note: String?
}
