/// The kinds of notification for which an app requests permission.
/// [UNAuthorizationOptions](https://developer.apple.com/documentation/usernotifications/unauthorizationoptions)
public struct UNAuthorizationOptions: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let badge = Self(rawValue: 1)
    public static let sound = Self(rawValue: 2)
    public static let alert = Self(rawValue: 4)
    public static let carPlay = Self(rawValue: 8)
    @available(iOS 12, *)
    public static let criticalAlert = Self(rawValue: 16)
    @available(iOS 12, *)
    public static let providesAppNotificationSettings = Self(rawValue: 32)
    @available(iOS 12, *)
    public static let provisional = Self(rawValue: 64)
    /// Lets Siri announce notifications. Deprecated since iOS 15, where announcements need no option.
    @available(iOS, introduced: 13, deprecated: 15)
    public static let announcement = Self(rawValue: 128)
    /// Lets notifications break through a Focus. Deprecated since iOS 15, where the entitlement decides.
    @available(iOS, introduced: 15, deprecated: 15)
    public static let timeSensitive = Self(rawValue: 256)
}
