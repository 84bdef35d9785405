import Foundation
@_spi(Simulation) import UserNotifications

/// Default implementations of methods from before iOS 10 that an app's delegate lacks.
extension UIApplicationDelegate {
    @available(*, deprecated, message: "Use application:openURL:options: instead")
    public func application(
        _ application: UIApplication, open url: URL, sourceApplication: String?, annotation: Any
    ) -> Bool { self.application(application, handleOpen: url) }

    @available(*, deprecated, message: "Use application:openURL:options: instead")
    public func application(_ application: UIApplication, handleOpen url: URL) -> Bool { false }

    @available(
        *, deprecated, message: "Use -[UNUserNotificationCenter requestAuthorizationWithOptions:completionHandler:]"
    )
    public func application(
        _ application: UIApplication, didRegister notificationSettings: UIUserNotificationSettings
    ) {}

    @available(
        *, deprecated,
        message: "Use -[UNUserNotificationCenterDelegate willPresentNotification:…] or didReceiveNotificationResponse:…"
    )
    public func application(_ application: UIApplication, didReceive notification: UILocalNotification) {
        OptionalMethod.noteUnimplemented("didReceive")
    }

    @available(
        *, deprecated,
        message: "Use -[UNUserNotificationCenterDelegate didReceiveNotificationResponse:withCompletionHandler:]"
    )
    public func application(
        _ application: UIApplication, handleActionWithIdentifier identifier: String?,
        for notification: UILocalNotification, completionHandler: @escaping @Sendable () -> Void
    ) {
        OptionalMethod.noteUnimplemented("handleActionWithIdentifier")
        completionHandler()
    }

    @available(
        *, deprecated,
        message: "Use -[UNUserNotificationCenterDelegate didReceiveNotificationResponse:withCompletionHandler:]"
    )
    public func application(
        _ application: UIApplication, handleActionWithIdentifier identifier: String?,
        for notification: UILocalNotification, withResponseInfo responseInfo: [AnyHashable: Any],
        completionHandler: @escaping @Sendable () -> Void
    ) {
        self.application(
            application, handleActionWithIdentifier: identifier, for: notification,
            completionHandler: completionHandler)
    }

    @available(
        *, deprecated,
        message: "Use -[UNUserNotificationCenterDelegate didReceiveNotificationResponse:withCompletionHandler:]"
    )
    public func application(
        _ application: UIApplication, handleActionWithIdentifier identifier: String?,
        forRemoteNotification userInfo: [AnyHashable: Any], completionHandler: @escaping @Sendable () -> Void
    ) {
        OptionalMethod.noteUnimplemented("handleActionWithIdentifier")
        completionHandler()
    }

    @available(
        *, deprecated,
        message: "Use -[UNUserNotificationCenterDelegate didReceiveNotificationResponse:withCompletionHandler:]"
    )
    public func application(
        _ application: UIApplication, handleActionWithIdentifier identifier: String?,
        forRemoteNotification userInfo: [AnyHashable: Any], withResponseInfo responseInfo: [AnyHashable: Any],
        completionHandler: @escaping @Sendable () -> Void
    ) {
        self.application(
            application, handleActionWithIdentifier: identifier, forRemoteNotification: userInfo,
            completionHandler: completionHandler)
    }
}
