import Foundation

extension UIApplication {
    /// The state of an app: active, inactive or in the background.
    /// [UIApplication.State](https://developer.apple.com/documentation/uikit/uiapplication/state)
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum State: Int, Sendable {
        case active = 0
        case inactive = 1
        case background = 2
    }

    /// A key of the launch options, which give the reason for the launch.
    public struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable, _HasCustomAnyHashableRepresentation {
        public let rawValue: String

        /// In a dictionary without a key type, such as `userInfo`, the key equals its text, as Apple's does, which is an
        /// `NSString` there.
        public func _toCustomAnyHashable() -> AnyHashable? { AnyHashable(rawValue) }

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let url = Self(rawValue: "UIApplicationLaunchOptionsURLKey")
        public static let sourceApplication = Self(rawValue: "UIApplicationLaunchOptionsSourceApplicationKey")
        /// The payload of the tapped push.
        public static let remoteNotification = Self(rawValue: "UIApplicationLaunchOptionsRemoteNotificationKey")
        @available(iOS, introduced: 4, deprecated: 10)
        public static let localNotification = Self(rawValue: "UIApplicationLaunchOptionsLocalNotificationKey")
        public static let annotation = Self(rawValue: "UIApplicationLaunchOptionsAnnotationKey")
        public static let location = Self(rawValue: "UIApplicationLaunchOptionsLocationKey")
        public static let newsstandDownloads = Self(rawValue: "UIApplicationLaunchOptionsNewsstandDownloadsKey")
        public static let bluetoothCentrals = Self(rawValue: "UIApplicationLaunchOptionsBluetoothCentralsKey")
        public static let bluetoothPeripherals = Self(rawValue: "UIApplicationLaunchOptionsBluetoothPeripheralsKey")
        public static let shortcutItem = Self(rawValue: "UIApplicationLaunchOptionsShortcutItemKey")
        @available(iOS 14.5, *)
        public static let eventAttribution = Self(rawValue: "UIApplicationLaunchOptionsEventAttributionKey")
        public static let userActivityDictionary = Self(
            rawValue: "UIApplicationLaunchOptionsUserActivityDictionaryKey")
        public static let userActivityType = Self(rawValue: "UIApplicationLaunchOptionsUserActivityTypeKey")
        public static let cloudKitShareMetadata = Self(
            rawValue: "UIApplicationLaunchOptionsCloudKitShareMetadataKey")
    }

    /// A key of the options with which a URL reached the app.
    public struct OpenURLOptionsKey: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let sourceApplication = Self(rawValue: "UIApplicationOpenURLOptionsSourceApplicationKey")
        public static let annotation = Self(rawValue: "UIApplicationOpenURLOptionsAnnotationKey")
        public static let openInPlace = Self(rawValue: "UIApplicationOpenURLOptionsOpenInPlaceKey")
        public static let eventAttribution = Self(rawValue: "UIApplicationOpenURLOptionsEventAttributionKey")
    }

    /// A key of the options with which the app opens a URL.
    public struct OpenExternalURLOptionsKey: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let universalLinksOnly = Self(
            rawValue: "UIApplicationOpenURLOptionUniversalLinksOnly")
        public static let eventAttribution = Self(rawValue: "UIApplicationOpenExternalURLOptionsEventAttributionKey")
    }

    @available(iOS 8, *)
    public nonisolated static let openSettingsURLString = "app-settings:"
    /// The old name of ``openNotificationSettingsURLString``.
    @available(iOS, introduced: 15.4, deprecated: 16)
    public nonisolated static let notificationSettingsURLString = openNotificationSettingsURLString
    @available(iOS 16, *)
    public nonisolated static let openNotificationSettingsURLString = "app-settings:notifications"
}

/// The result of a background fetch or of a silent push.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum UIBackgroundFetchResult: UInt, Sendable {
    case newData = 0
    case noData = 1
    case failed = 2
}

/// The person's permission for the app to refresh in the background.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum UIBackgroundRefreshStatus: Int, Sendable {
    case restricted = 0
    case denied = 1
    case available = 2
}

/// The identifier of a request for time in the background.
public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let invalid = Self(rawValue: 0)
}

// The names before Swift 4.2, as in tutorials of that time.
public typealias UIApplicationLaunchOptionsKey = UIApplication.LaunchOptionsKey
public typealias UIApplicationOpenURLOptionsKey = UIApplication.OpenURLOptionsKey
public typealias UIApplicationState = UIApplication.State
public let UIBackgroundTaskInvalid = UIBackgroundTaskIdentifier.invalid
public let UIApplicationOpenSettingsURLString = UIApplication.openSettingsURLString
public let UIApplicationOpenNotificationSettingsURLString = UIApplication.openNotificationSettingsURLString
