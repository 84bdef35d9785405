import CarillonDevice
import UserNotifications

/// Caches the values from which the page draws a phone's notifications.
///
/// The cache is emptied when a setting changes the appearance of all notifications.
@MainActor struct SeenNotifications {
    private struct Entry {
        /// The notification; the cache keeps it, so that no later notification gets an equal object identifier.
        let notification: UNNotification
        let state: PhoneState.Notification
    }

    private var entries: [ObjectIdentifier: Entry] = [:]
    private var isLocked = false
    private var categories: Set<UNNotificationCategory> = []

    init() {}

    /// Empties the cache.
    ///
    /// Call this after the person has changed whether notifications show their texts.
    mutating func forget() { entries = [:] }

    /// Returns the app's notifications on the phone, newest first.
    mutating func notifications(of bundleID: String, on phone: Phone) -> [PhoneState.Notification] {
        if phone.isLocked != isLocked || phone.categories(of: bundleID) != categories {
            isLocked = phone.isLocked
            categories = phone.categories(of: bundleID)
            forget()
        }
        var kept: [ObjectIdentifier: Entry] = [:]
        let states = phone.deliveredNotifications(of: bundleID).map { notification in
            let id = ObjectIdentifier(notification)
            let entry =
                entries[id]
                ?? Entry(
                    notification: notification, state: PhoneState.Notification(notification, on: phone, bundleID))
            kept[id] = entry
            return entry.state
        }
        entries = kept
        return states
    }
}
