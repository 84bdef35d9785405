/// The purpose of a push.
///
/// It is part of the push's `apns-id`, so that no two pushes ever share one.
package enum PushPurpose: String, Sendable, Hashable, CaseIterable, Codable {
    /// Shows the message, by an alert push, or by a background push from which the SDK makes the notification.
    case show
    /// Shows the message by a visible push, after a silent one without an answer (delivery mode assured).
    case fallback
    /// Carries only removals, by a background push.
    case removal
    /// Replaces a recalled message that no code of the app could remove, by a quiet alert push.
    case notice
    /// Changes only the badge number, by an alert push.
    case badge
    /// Checks a new token, by a background push without content; APNs' answer tells whether the token is valid.
    case tokenCheck = "token-check"
    /// Carries a nonce, by a background push; a device that returns the nonce holds the token.
    case tokenClaim = "token-claim"
}
