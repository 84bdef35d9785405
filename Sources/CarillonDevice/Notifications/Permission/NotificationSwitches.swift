import UserNotifications

/// The switches on the app's page in Settings → Notifications.
public struct NotificationSwitches: Sendable, Hashable {
    /// Alerts: Banners (on by default).
    public var banners = true
    /// Sounds (on by default).
    public var sounds = true
    /// Badges: the number on the icon (on by default).
    public var badges = true
    /// Alerts: Lock Screen (on by default).
    public var lockScreen = true
    /// Alerts: Notification Center (on by default).
    public var notificationCenter = true
    /// Time-Sensitive Notifications, for an app with the entitlement (on by default).
    public var timeSensitive = true
    /// Critical Alerts, for an app with the entitlement that has asked for them (on by default).
    public var criticalAlerts = true
    /// Whether the app is in the scheduled summary, so that its non-urgent notifications wait for it (rule 29).
    ///
    /// The default is off. It has no effect for an app whose notifications are off.
    public var scheduledSummary = false
    /// Show Previews: whether the text is readable on the screen.
    ///
    /// The default is always. A new iPhone with Face ID has `whenAuthenticated`, and shows the text as soon as it recognises
    /// its owner.
    public var previews = UNShowPreviewsSetting.always
}

/// A switch on the app's page in Settings → Notifications, by its name there.
public enum NotificationSwitch: String, Sendable, Hashable, Codable, CaseIterable {
    /// ``NotificationSwitches/timeSensitive``.
    case timeSensitive = "Time Sensitive Notifications"
    /// ``NotificationSwitches/criticalAlerts``.
    case criticalAlerts = "Critical Alerts"
    /// ``NotificationSwitches/scheduledSummary``.
    case scheduledSummary = "Scheduled Summary"
    /// ``NotificationSwitches/lockScreen``.
    case lockScreen = "Lock Screen"
    /// ``NotificationSwitches/notificationCenter``.
    case notificationCenter = "Notification Center"
    /// ``NotificationSwitches/banners``.
    case banners = "Banners"
    /// ``NotificationSwitches/sounds``.
    case sounds = "Sounds"
    /// ``NotificationSwitches/badges``.
    case badges = "Badges"
}

extension NotificationSwitches {
    /// The position of a switch.
    public subscript(_ item: NotificationSwitch) -> Bool {
        get { self[keyPath: Self.path(item)] }
        set { self[keyPath: Self.path(item)] = newValue }
    }

    private static func path(_ item: NotificationSwitch) -> WritableKeyPath<Self, Bool> {
        switch item {
        case .timeSensitive: \.timeSensitive
        case .criticalAlerts: \.criticalAlerts
        case .scheduledSummary: \.scheduledSummary
        case .lockScreen: \.lockScreen
        case .notificationCenter: \.notificationCenter
        case .banners: \.banners
        case .sounds: \.sounds
        case .badges: \.badges
        }
    }
}
