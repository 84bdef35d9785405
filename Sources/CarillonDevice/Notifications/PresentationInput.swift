@_spi(Simulation) import UserNotifications

/// The conditions that decide how a notification is shown.
struct PresentationInput: Sendable {
    var hasText: Bool
    var soundName: String?
    var isCriticalSound = false
    /// The lengths of the app's sound files in seconds; `nil` if they are not described.
    var soundFiles: [String: Double]?
    var badge: Int?
    var level = UNNotificationInterruptionLevel.active
    var settings = UNNotificationSettings.Values()
    var entitlements: Set<AppBundle.Entitlement> = []
    var isLocked = false
    var isFocusOn = false
    var isMuted = false
    var foreground = Foreground.notInForeground
    /// The speaker and the recipients of a communication notification.
    var communication: Communication?
    var peopleAllowedInFocus: Set<String> = []
    /// The notification's category, if the app has declared none of that name.
    var unknownCategory: String?

    /// The app's answer to `willPresent`, if it was asked.
    enum Foreground: Sendable, Hashable {
        case notInForeground
        case answered(UNNotificationPresentationOptions)
        case noDelegate
        case notImplemented
        case late
    }
}
