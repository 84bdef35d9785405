import UserNotifications

/// The app's page in Settings → Notifications.
public struct NotificationSwitches: Sendable, Hashable {
    public var banners = true
    public var sounds = true
    public var badges = true
    public var lockScreen = true
    public var notificationCenter = true
    public var timeSensitive = true
    /// Whether the scheduled summary includes this app, so that what is not urgent waits for it (rule 29). The default is
    /// no. Cannot be on for an app whose notifications are off.
    public var scheduledSummary = false
    /// Show Previews: whether the text can be read on the screen. The default is always; a new iPhone with Face ID has
    /// `whenAuthenticated`, and shows the text as soon as it sees its owner.
    public var previews = UNShowPreviewsSetting.always
}
