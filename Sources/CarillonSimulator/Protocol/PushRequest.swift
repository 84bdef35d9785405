import CarillonCore
import Foundation

/// The parsed headers of a push request that passed the checks of its headers.
struct PushRequest: Sendable, Hashable {
    var topic: String
    /// The topic without the push type's suffix: the app's bundle id.
    var bundleID: String
    var pushType: PushType
    var priority: Int
    var expiration: ExpirationHeader
    var collapseID: String?
    var rule: PushTypeRule
    /// A tolerated violation of a strict rule; `nil` if there is none.
    var note: String?
}
