import Foundation
@_spi(Simulation) import UserNotifications

/// The notification methods from before iOS 10, which iOS 16 still honours.
extension UIApplication {
    /// Declares the categories, and asks the person for permission at the first call.
    ///
    /// The answer arrives in `application(_:didRegister:)`.
    @available(
        *, deprecated,
        message: "Use -[UNUserNotificationCenter requestAuthorizationWithOptions:] and setNotificationCategories:"
    )
    @available(iOS, introduced: 8, deprecated: 10)
    public func registerUserNotificationSettings(_ notificationSettings: UIUserNotificationSettings) {
        let center = UNUserNotificationCenter.current()
        if let categories = notificationSettings.categories {
            center.setNotificationCategories(Set(categories.map(\.category)))
        }
        // The center answers on the main thread, in the context of the app.
        center.requestAuthorization(options: notificationSettings.options) { [self] _, _ in
            MainActor.assumeIsolated {
                guard let granted = currentUserNotificationSettings else { return }
                delegate?.application(self, didRegister: granted)
            }
        }
    }

    /// The notification types that the person allows the app.
    @available(iOS, introduced: 8, deprecated: 10)
    @available(*, deprecated, message: "Use -[UNUserNotificationCenter getNotificationSettingsWithCompletionHandler:]")
    public var currentUserNotificationSettings: UIUserNotificationSettings? {
        let values = backend.notificationSettings
        var types: UIUserNotificationType = []
        if values.badge == .enabled { types.insert(.badge) }
        if values.sound == .enabled { types.insert(.sound) }
        if values.alert == .enabled { types.insert(.alert) }
        return UIUserNotificationSettings(types: types, categories: nil)
    }

    /// Does nothing: since iOS 8, this form of requesting a device token has no effect. The phone records the call.
    @available(
        *, deprecated,
        message: "Use registerForRemoteNotifications and -[UNUserNotificationCenter requestAuthorizationWithOptions:]"
    )
    @available(iOS, introduced: 3, deprecated: 8)
    public func registerForRemoteNotifications(matching types: UIRemoteNotificationType) {
        backend.note(
            "registerForRemoteNotifications(matching:)",
            "it does nothing since iOS 8: call registerForRemoteNotifications() and requestAuthorization")
    }

    /// The notification types that were enabled before iOS 8; always empty since then.
    @available(
        *, deprecated,
        message: "Use isRegisteredForRemoteNotifications and -[UNUserNotificationCenter getNotificationSettings…]"
    )
    @available(iOS, introduced: 3, deprecated: 8)
    public var enabledRemoteNotificationTypes: UIRemoteNotificationType { [] }

    @available(iOS, introduced: 4, deprecated: 10)
    @available(*, deprecated, message: "Use -[UNUserNotificationCenter addNotificationRequest:withCompletionHandler:]")
    public func presentLocalNotificationNow(_ notification: UILocalNotification) {
        backend.schedule(notification.content, nil, original: notification.copied)
    }

    @available(iOS, introduced: 4, deprecated: 10)
    @available(*, deprecated, message: "Use -[UNUserNotificationCenter addNotificationRequest:withCompletionHandler:]")
    public func scheduleLocalNotification(_ notification: UILocalNotification) {
        backend.schedule(
            notification.content, notification.trigger(now: backend.now), original: notification.copied)
    }

    @available(
        *, deprecated, message: "Use -[UNUserNotificationCenter removePendingNotificationRequestsWithIdentifiers:]"
    )
    @available(iOS, introduced: 4, deprecated: 10)
    public func cancelLocalNotification(_ notification: UILocalNotification) {
        backend.cancelScheduled { ($0 as? UILocalNotification) == notification }
    }

    @available(iOS, introduced: 4, deprecated: 10)
    @available(*, deprecated, message: "Use -[UNUserNotificationCenter removeAllPendingNotificationRequests]")
    public func cancelAllLocalNotifications() { backend.cancelScheduled { _ in true } }

    /// The notifications that have not fired, soonest first.
    @available(
        *, deprecated, message: "Use -[UNUserNotificationCenter getPendingNotificationRequestsWithCompletionHandler:]"
    )
    @available(iOS, introduced: 4, deprecated: 10)
    public var scheduledLocalNotifications: [UILocalNotification]? {
        get { backend.scheduledOriginals.compactMap { $0 as? UILocalNotification } }
        set {
            cancelAllLocalNotifications()
            for notification in newValue ?? [] { scheduleLocalNotification(notification) }
        }
    }
}

@available(*, deprecated)
extension UILocalNotification {
    /// A copy of the notification; the app may later change its own object.
    fileprivate var copied: AnyObject { copy() as AnyObject }
}
