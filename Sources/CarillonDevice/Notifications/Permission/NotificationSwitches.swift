import UserNotifications

/// The switches on the app's page in Settings → Notifications.
public struct NotificationSwitches: Sendable, Hashable {
    /// Alerts: Banners (on by default).
    public var banners = true
    /// Sounds (on by default).
    public var sounds = true
    /// Badges, which are the number on the icon (on by default).
    public var badges = true
    /// Alerts: Lock Screen (on by default).
    public var lockScreen = true
    /// Alerts: Notification Center (on by default).
    public var notificationCenter = true
    /// Time-Sensitive Notifications, for an app with the entitlement (on by default).
    public var timeSensitive = true
    /// Whether the scheduled summary includes this app, so that its non-urgent notifications wait for it (rule 29).
    ///
    /// The default is off. It has no effect for an app whose notifications are off.
    public var scheduledSummary = false
    /// Show Previews: whether the text can be read on the screen.
    ///
    /// The default is always; a new iPhone with Face ID has `whenAuthenticated`, and shows the text as soon as it sees
    /// its owner.
    public var previews = UNShowPreviewsSetting.always
}
