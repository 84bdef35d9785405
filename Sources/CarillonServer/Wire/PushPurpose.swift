/// Why a push was sent.
///
/// It is part of the push's `apns-id`, so that no two pushes ever share one.
package enum PushPurpose: String, Sendable, Hashable, CaseIterable, Codable {
    /// The message itself: an alert push, or a background push from which the SDK makes the notification.
    case show
    /// The visible push that follows a silent one that nobody answered (delivery mode assured).
    case fallback
    /// A background push that only carries removals.
    case removal
    /// A quiet alert push in the place of a recalled message, where nothing of the app could remove it.
    case notice
    /// An alert push that only changes the number on the icon.
    case badge
    /// A background push without content: APNs' answer tells whether a new token is one.
    case tokenCheck = "token-check"
    /// A background push with a nonce: who returns it holds the token.
    case tokenClaim = "token-claim"
}
