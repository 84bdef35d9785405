import CarillonCore
import UserNotifications

/// A notification at the top of an unlocked screen, for 5 seconds.
public struct Banner: Sendable {
    /// The number of the banner, which distinguishes two banners of one notification.
    public let number: Int
    /// The app whose notification it is.
    public let bundleID: String
    /// The notification as the app would get it.
    public let notification: UNNotification
    /// The time at which the banner appeared, by the phone's clock.
    public let shownAt: Timestamp
}
