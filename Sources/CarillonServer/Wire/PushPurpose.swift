/// The purpose of a push.
///
/// It is part of the push's `apns-id`, so that two pushes never share one.
package enum PushPurpose: String, Sendable, Hashable, CaseIterable, Codable {
    /// Shows the message: by an alert push, or by a background push from which the SDK makes the notification.
    case show
    /// Shows an assured message by a visible push, because its silent push was not answered.
    case fallback
    /// Carries only removals, by a background push.
    case removal
    /// Replaces a recalled message by a quiet alert push, because no code of the app could remove the message.
    case notice
    /// Changes only the badge, by an alert push.
    case badge
    /// Checks a new token by a background push without content.
    ///
    /// APNs' answer shows whether the token is valid.
    case tokenCheck = "token-check"
    /// Carries a nonce by a background push.
    ///
    /// A device that returns the nonce holds the token.
    case tokenClaim = "token-claim"
}
