/// A change on a phone, after which a user interface reads the phone's state again.
public enum PhoneChange: Sendable, Hashable {
    /// The lock screen, the home screen, the app in front, the banner, a sheet or a setting of the phone has changed.
    case screen
    /// The app's delivered or pending notifications have changed.
    case list(bundleID: String)
    /// The number on the app's icon has changed.
    case badge(bundleID: String)
    /// The app was launched, resumed, suspended or ended, or its state has changed.
    case lifeCycle(bundleID: String)
    /// The permission to send notifications, or a switch in Settings, has changed.
    case permission(bundleID: String)
    /// An app was installed or deleted, or has changed its shortcuts.
    case apps
    /// The phone went online or offline.
    case network
    /// The entry of ``Phone/traces`` with this number was added or has changed.
    case log(Int)
    /// The views of the app have changed.
    case views(bundleID: String)
    /// A sound was played.
    case sound
    /// A link was opened.
    case openedURL
    /// A call has begun, has changed or is over.
    case calls
}
