import UserNotifications

/// The switches on the app's page in Settings → Notifications.
public struct NotificationSwitches: Sendable, Hashable {
    /// The switch Banners, under Alerts (on by default).
    public var banners = true
    /// The switch Sounds (on by default).
    public var sounds = true
    /// The switch Badges, for the number on the icon (on by default).
    public var badges = true
    /// The switch Lock Screen, under Alerts (on by default).
    public var lockScreen = true
    /// The switch Notification Center, under Alerts (on by default).
    public var notificationCenter = true
    /// The switch Time-Sensitive Notifications, for an app with the entitlement for them (on by default).
    public var timeSensitive = true
    /// The switch Critical Alerts, for an app that has the entitlement for them and has asked for them (on by default).
    public var criticalAlerts = true
    /// Whether the app's non-urgent notifications wait for the scheduled summary (``PhoneRule/summaryHoldsBack``).
    ///
    /// The default is `false`. The switch has no effect for an app whose notifications are off.
    public var scheduledSummary = false
    /// The setting Show Previews: whether and when the text of notifications is readable on the screen.
    ///
    /// The default is `always`. A new iPhone with Face ID has `whenAuthenticated`, and shows the text as soon as it recognises
    /// its owner.
    public var previews = UNShowPreviewsSetting.always
}

/// A switch on the app's page in Settings → Notifications; the raw value is the switch's name on that page.
public enum NotificationSwitch: String, Sendable, Hashable, Codable, CaseIterable {
    /// The switch Time Sensitive Notifications (``NotificationSwitches/timeSensitive``).
    case timeSensitive = "Time Sensitive Notifications"
    /// The switch Critical Alerts (``NotificationSwitches/criticalAlerts``).
    case criticalAlerts = "Critical Alerts"
    /// The switch that adds the app to the scheduled summary (``NotificationSwitches/scheduledSummary``).
    case scheduledSummary = "Scheduled Summary"
    /// The switch Lock Screen, under Alerts (``NotificationSwitches/lockScreen``).
    case lockScreen = "Lock Screen"
    /// The switch Notification Center, under Alerts (``NotificationSwitches/notificationCenter``).
    case notificationCenter = "Notification Center"
    /// The switch Banners, under Alerts (``NotificationSwitches/banners``).
    case banners = "Banners"
    /// The switch Sounds (``NotificationSwitches/sounds``).
    case sounds = "Sounds"
    /// The switch Badges, for the number on the icon (``NotificationSwitches/badges``).
    case badges = "Badges"
}

extension NotificationSwitches {
    /// Whether the given switch is on.
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
