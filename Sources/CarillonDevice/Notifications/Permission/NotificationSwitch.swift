/// A switch on the app's page in Settings → Notifications, by its name there.
public enum NotificationSwitch: String, Sendable, Hashable, Codable, CaseIterable {
    /// ``NotificationSwitches/timeSensitive``.
    case timeSensitive = "Time Sensitive Notifications"
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
        case .scheduledSummary: \.scheduledSummary
        case .lockScreen: \.lockScreen
        case .notificationCenter: \.notificationCenter
        case .banners: \.banners
        case .sounds: \.sounds
        case .badges: \.badges
        }
    }
}
