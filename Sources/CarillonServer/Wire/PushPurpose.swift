/// The purpose of a push.
///
/// The purpose is part of the push's `apns-id`, so that pushes with different purposes never share an id.
package enum PushPurpose: String, Sendable, Hashable, CaseIterable, Codable {
    /// A push that shows the message: an alert push, or a background push from which the SDK makes the notification.
    case show
    /// The visible push of a message with ``DeliveryMode/assured``, for a device that has not reported the message as shown after
    /// the silent push.
    case fallback
    /// A background push that carries only removals (requests that the device remove messages).
    case removal
    /// A quiet alert push that takes the place of a recalled message on a device that has not confirmed the removal.
    case notice
    /// An alert push that changes only the badge.
    case badge
    /// A background push without content that checks a new token.
    ///
    /// APNs' answer shows whether the token is valid.
    case tokenCheck = "token-check"
    /// A background push that carries a nonce to a device token that two installations have registered.
    ///
    /// The second installation gets the token if it returns the nonce to the service.
    case tokenClaim = "token-claim"
    /// A push that starts, updates or ends a Live Activity.
    case liveActivity = "live-activity"
    /// A push that reloads the widgets or a control.
    case widgets
}
