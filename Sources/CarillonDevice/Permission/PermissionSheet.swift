/// The question whether an app may send notifications.
public struct PermissionSheet: Sendable, Hashable {
    public let bundleID: String
    public let appName: String
}
