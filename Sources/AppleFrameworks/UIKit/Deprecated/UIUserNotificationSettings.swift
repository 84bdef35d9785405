import Foundation

/// The ways in which a notification may reach the person.
/// [UIUserNotificationType](https://developer.apple.com/documentation/uikit/uiusernotificationtype)
@available(*, deprecated, message: "Use UserNotifications Framework's UNAuthorizationOptions")
public struct UIUserNotificationType: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let badge = Self(rawValue: 1)
    public static let sound = Self(rawValue: 2)
    public static let alert = Self(rawValue: 4)
}

/// The notification types that an app wants to show, in the form before iOS 10.
/// [UIUserNotificationSettings](https://developer.apple.com/documentation/uikit/uiusernotificationsettings)
@available(*, deprecated, message: "Use UserNotifications Framework's UNNotificationSettings")
public class UIUserNotificationSettings: NSObject {
    public let types: UIUserNotificationType
    public let categories: Set<UIUserNotificationCategory>?

    public init(types: UIUserNotificationType, categories: Set<UIUserNotificationCategory>?) {
        self.types = types
        self.categories = categories
    }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UIUserNotificationSettings else { return false }
        return types == other.types && (categories ?? []) == (other.categories ?? [])
    }

    public override var hash: Int { Int(types.rawValue) }

    var options: UNAuthorizationOptions {
        var options: UNAuthorizationOptions = []
        if types.contains(.badge) { options.insert(.badge) }
        if types.contains(.sound) { options.insert(.sound) }
        if types.contains(.alert) { options.insert(.alert) }
        return options
    }
}

/// The notification types that an app could request before iOS 8; requesting them now has no effect.
/// [UIRemoteNotificationType](https://developer.apple.com/documentation/uikit/uiremotenotificationtype)
@available(
    *, deprecated,
    message: "Use UserNotifications Framework's UNAuthorizationOptions and registerForRemoteNotifications instead"
)
public struct UIRemoteNotificationType: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let badge = Self(rawValue: 1)
    public static let sound = Self(rawValue: 2)
    public static let alert = Self(rawValue: 4)
    public static let newsstandContentAvailability = Self(rawValue: 8)
}
