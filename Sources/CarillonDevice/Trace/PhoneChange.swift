/// Something that a person looking at the phone, or a test, may want to look at again.
public enum PhoneChange: Sendable, Hashable {
    /// Locked or not, home or an app, a banner, the permission sheet.
    case screen
    case list(bundleID: String)
    case badge(bundleID: String)
    case lifeCycle(bundleID: String)
    case permission(bundleID: String)
    case apps
    case network
    /// An entry of the push log, by number.
    case log(Int)
    case views(bundleID: String)
    case sound
    case openedURL
}
