/// The person's permission for the app's notifications.
/// [UNAuthorizationStatus](https://developer.apple.com/documentation/usernotifications/unauthorizationstatus)
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum UNAuthorizationStatus: Int, Sendable {
    case notDetermined = 0
    case denied = 1
    case authorized = 2
    @available(iOS 12, *)
    case provisional = 3
    @available(iOS 14, *)
    case ephemeral = 4
}

/// The state of a switch on the app's page in Settings.
/// [UNNotificationSetting](https://developer.apple.com/documentation/usernotifications/unnotificationsetting)
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum UNNotificationSetting: Int, Sendable {
    case notSupported = 0
    case disabled = 1
    case enabled = 2
}

/// The style of alerts while the phone is unlocked.
/// [UNAlertStyle](https://developer.apple.com/documentation/usernotifications/unalertstyle)
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum UNAlertStyle: Int, Sendable {
    case none = 0
    case banner = 1
    case alert = 2
}

/// The setting for reading a notification's text: always, only on an unlocked phone, or never.
/// [UNShowPreviewsSetting](https://developer.apple.com/documentation/usernotifications/unshowpreviewssetting)
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
@available(iOS 11, *)
public enum UNShowPreviewsSetting: Int, Sendable {
    case always = 0
    case whenAuthenticated = 1
    case never = 2
}
