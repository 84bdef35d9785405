@_spi(Simulation) import UserNotifications

extension Phone {
    /// Returns the text of a notification that can be read now, on the lock screen or in a banner.
    ///
    /// The person may have previews hidden while the phone is locked, or always (``NotificationSwitches/previews``).
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
}
