/// A change on a phone, which tells an interface to read the state again.
public enum PhoneChange: Sendable, Hashable {
    /// The lock screen, the home screen or app, the banner, the permission sheet, or the person's switches.
    case screen
    /// The app's delivered or pending notifications.
    case list(bundleID: String)
    /// The number on the app's icon.
    case badge(bundleID: String)
    /// The app was launched, resumed, suspended or ended, or its state has changed.
    case lifeCycle(bundleID: String)
    /// The permission to send notifications, or a switch in Settings.
    case permission(bundleID: String)
    /// An app was installed or deleted, or has changed its shortcuts.
    case apps
    /// The phone went online or offline.
    case network
    /// An entry of ``Phone/traces``, by number.
    case log(Int)
    /// The views of the app.
    case views(bundleID: String)
    /// A sound was played.
    case sound
    /// A link was opened.
    case openedURL
    /// A call has begun, has changed or is over.
    case calls
}
