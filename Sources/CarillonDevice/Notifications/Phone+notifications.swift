import CarillonCore
import Foundation
@_spi(Simulation) import UserNotifications

/// The notifications of a phone's apps: delivered and pending ones, summaries, categories, badges and permissions.
extension Phone {
    /// Returns the app's notifications in the notification center, newest first; empty if the app is not installed.
    public func deliveredNotifications(of bundleID: String) -> [UNNotification] {
        notifications.list(of: bundleID)?.delivered.map(\.notification) ?? []
    }

    /// Returns the app's notifications grouped by `threadIdentifier`; the group that has the newest notification comes first.
    public func notificationGroups(of bundleID: String) -> [NotificationGroup] {
        NotificationGroup.groups(of: deliveredNotifications(of: bundleID))
    }

    /// Returns the pending requests, soonest first; requests that wait for a location come last.
    public func pendingRequests(of bundleID: String) -> [UNNotificationRequest] {
        notifications.list(of: bundleID)?.pending.map(\.request) ?? []
    }

    /// Returns the app's notifications that have arrived on the lock screen since the last unlock, newest first.
    ///
    /// These notifications are also in ``deliveredNotifications(of:)``.
    public func lockScreenNotifications(of bundleID: String) -> [UNNotification] {
        notifications.list(of: bundleID)?.delivered.filter(\.isOnLockScreen).map(\.notification) ?? []
    }

    /// The notifications of the last scheduled summary, the most relevant first.
    public var summary: [UNNotification] { notifications.summary }

    /// The notifications of all apps that wait for the next summary: the most relevant first, and the newest first among
    /// equally relevant ones.
    public var upcomingSummary: [UNNotification] { notifications.upcomingSummary }

    /// Returns the notification categories that the app has set most recently.
    public func categories(of bundleID: String) -> Set<UNNotificationCategory> {
        apps[bundleID].map(notifications.categories) ?? []
    }

    /// Returns the number on the app's icon; 0 shows none, as while the person has switched off the app's badges.
    public func badge(of bundleID: String) -> Int {
        guard let app = apps[bundleID], notifications.settingValues(of: app).badge != .disabled else { return 0 }
        return notifications.badge(of: app)
    }

    /// Returns the app's permission to send notifications; `notDetermined` until the app asks for it.
    public func authorizationStatus(of bundleID: String) -> UNAuthorizationStatus {
        apps[bundleID].map(notifications.permission)?.status ?? .notDetermined
    }

    // MARK: one notification

    /// Returns the currently readable text of a notification, on the lock screen or in a banner.
    ///
    /// Previews may be hidden while the phone is locked, or always (``NotificationSwitches/previews``).
    ///
    /// - Throws: ``PhoneError`` for an app that is not installed.
    public func visibleText(of notification: UNNotification, in bundleID: String) throws(PhoneError) -> VisibleText {
        let app = try apps.installed(bundleID)
        let content = notification.request.content
        return VisibleText(
            of: content, category: notifications.category(of: content, in: app),
            previews: notifications.settingValues(of: bundleID).showPreviews, isLocked: device.isLocked,
            appName: app.bundle.name,
            threadCount: {
                let thread = content.threadIdentifier
                return max(
                    1,
                    notifications.list(of: app).delivered.count {
                        $0.notification.request.content.threadIdentifier == thread
                    })
            })
    }

    /// Returns the sender whom the phone shows beside one of the app's delivered notifications.
    ///
    /// - Returns: the sender; `nil` if the identifier names no communication notification, or if the app lacks the entitlement
    ///   for communication notifications.
    public func speaker(of identifier: String, in bundleID: String) -> Speaker? {
        guard let app = apps[bundleID],
            app.bundle.entitlements.contains(.communication) || !kernel.rules.keeps(.communicationNeedsEntitlement)
        else { return nil }
        let shown = notifications.list(of: app).delivered.first { $0.identifier == identifier }
        return shown?.notification.request.content.communication.map(Speaker.init)
    }
}
