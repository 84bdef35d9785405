import CarillonCore
import UserNotifications

/// What slides in at the top of an unlocked screen.
public struct Banner: Sendable {
    /// Counts up; tells two banners of one notification apart.
    public let number: Int
    public let bundleID: String
    public let notification: UNNotification
    public let shownAt: Timestamp
}
