/// The state of a Live Activity. [ActivityState](https://developer.apple.com/documentation/activitykit/activitystate)
///
/// Differs from iOS: no Live Activity is `pending`, because the phone does not schedule Live Activities.
@available(iOS 16.1, *)
public enum ActivityState: Decodable, Encodable, Equatable, Hashable, Sendable {
    case active
    /// Still on the screen, but without further updates.
    case ended
    /// No longer on the screen.
    case dismissed
    /// Outdated: the stale date has passed without an update.
    @available(iOS 16.2, *)
    case stale
    @available(iOS 26, *)
    case pending
}
