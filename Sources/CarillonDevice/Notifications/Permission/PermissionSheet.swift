/// The question whether an app may send notifications.
public struct PermissionSheet: Sendable, Hashable {
    /// The app that asks.
    public let bundleID: String
    /// The app's name as the sheet shows it.
    public let appName: String
}
