/// The presentation options of a notification whose app is in the foreground.
/// [UNNotificationPresentationOptions](https://developer.apple.com/documentation/usernotifications/unnotificationpresentationoptions)
public struct UNNotificationPresentationOptions: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let badge = Self(rawValue: 1)
    public static let sound = Self(rawValue: 2)
    /// Shows a banner, and keeps the notification in the phone's list of notifications. Deprecated since iOS 14.
    @available(iOS, introduced: 10, deprecated: 14)
    public static let alert = Self(rawValue: 4)
    @available(iOS 14, *)
    public static let list = Self(rawValue: 8)
    @available(iOS 14, *)
    public static let banner = Self(rawValue: 16)
}
