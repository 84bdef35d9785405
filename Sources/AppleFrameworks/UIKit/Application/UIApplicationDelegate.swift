import Foundation
@_spi(Simulation) import UserNotifications

/// The methods that tell an app about its life cycle, pushes and links.
///
/// Every method is optional: the defaults replace methods that the app has not implemented.
/// [UIApplicationDelegate](https://developer.apple.com/documentation/uikit/uiapplicationdelegate)
///
/// Differs from iOS: the phone does not call a method that only a subclass of the conforming class implements. A method with a
/// wrong name or type compiles, as on iOS.
@MainActor @preconcurrency public protocol UIApplicationDelegate: UIWindowOwner {
    @_disfavoredOverload var window: UIWindow? { get set }

    func application(
        _ application: UIApplication,
        willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool
    /// Called after launch if the app does not implement `application(_:didFinishLaunchingWithOptions:)`.
    func applicationDidFinishLaunching(_ application: UIApplication)

    func applicationDidBecomeActive(_ application: UIApplication)
    func applicationWillResignActive(_ application: UIApplication)
    func applicationDidEnterBackground(_ application: UIApplication)
    func applicationWillEnterForeground(_ application: UIApplication)
    func applicationWillTerminate(_ application: UIApplication)
    func applicationDidReceiveMemoryWarning(_ application: UIApplication)
    func applicationSignificantTimeChange(_ application: UIApplication)
    func applicationProtectedDataWillBecomeUnavailable(_ application: UIApplication)
    func applicationProtectedDataDidBecomeAvailable(_ application: UIApplication)

    func application(
        _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data)
    func application(
        _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error)

    /// Called for a push in the foreground, unless the app implements
    /// `application(_:didReceiveRemoteNotification:fetchCompletionHandler:)` or its async variant. Deprecated since iOS 10.
    func application(_ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any])
    /// Called for a push in the foreground or in the background. The app must call the handler once, within 30 seconds.
    @preconcurrency func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping @Sendable (UIBackgroundFetchResult) -> Void)
    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]
    ) async -> UIBackgroundFetchResult

    func application(
        _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]
    ) -> Bool

    /// Called when an activity from another device is announced, or a universal link was followed.
    ///
    /// - Returns: `true` if the app itself tells the person about the arriving activity.
    func application(_ application: UIApplication, willContinueUserActivityWithType userActivityType: String) -> Bool
    /// Called to continue an activity.
    ///
    /// - Parameter restorationHandler: takes the objects on which the system then calls `restoreUserActivityState(_:)`.
    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
    ) -> Bool
    func application(
        _ application: UIApplication, didFailToContinueUserActivityWithType userActivityType: String,
        error: any Error)
    /// Called when the app's activity goes to another device.
    func application(_ application: UIApplication, didUpdate userActivity: NSUserActivity)

    /// Called for a background fetch. The app must call the handler once, within 30 seconds. Deprecated since iOS 13.
    @preconcurrency func application(
        _ application: UIApplication,
        performFetchWithCompletionHandler completionHandler: @escaping @Sendable (UIBackgroundFetchResult) -> Void)
    @preconcurrency func application(
        _ application: UIApplication, performActionFor shortcutItem: UIApplicationShortcutItem,
        completionHandler: @escaping @Sendable (Bool) -> Void)
    func application(
        _ application: UIApplication, performActionFor shortcutItem: UIApplicationShortcutItem
    ) async -> Bool
    /// Called when a background session's transfers have finished. The app must call the handler once, within 30 seconds.
    @preconcurrency func application(
        _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
        completionHandler: @escaping @Sendable () -> Void)
    func application(
        _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String
    ) async

    func application(
        _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration
    /// Called at the next launch after the person has closed scenes in the app switcher.
    func application(_ application: UIApplication, didDiscardSceneSessions sceneSessions: Set<UISceneSession>)

    /// Returns the orientations that the app supports.
    ///
    /// The default is all except upside down; the phone does not read them from Info.plist.
    func application(
        _ application: UIApplication, supportedInterfaceOrientationsFor window: UIWindow?
    ) -> UIInterfaceOrientationMask

    // Methods from before iOS 10: called while the notification center has no delegate.
    @available(*, deprecated, message: "Use application:openURL:options: instead")
    func application(
        _ application: UIApplication, open url: URL, sourceApplication: String?, annotation: Any
    ) -> Bool

    @available(*, deprecated, message: "Use application:openURL:options: instead")
    func application(_ application: UIApplication, handleOpen url: URL) -> Bool

    @available(
        *, deprecated, message: "Use -[UNUserNotificationCenter requestAuthorizationWithOptions:completionHandler:]"
    )
    func application(
        _ application: UIApplication, didRegister notificationSettings: UIUserNotificationSettings
    )

    @available(
        *, deprecated,
        message: "Use -[UNUserNotificationCenterDelegate willPresentNotification:…] or didReceiveNotificationResponse:…"
    )
    func application(_ application: UIApplication, didReceive notification: UILocalNotification)

    @available(
        *, deprecated,
        message: "Use -[UNUserNotificationCenterDelegate didReceiveNotificationResponse:withCompletionHandler:]"
    )
    @preconcurrency func application(
        _ application: UIApplication, handleActionWithIdentifier identifier: String?,
        for notification: UILocalNotification, completionHandler: @escaping @Sendable () -> Void
    )

    @available(
        *, deprecated,
        message: "Use -[UNUserNotificationCenterDelegate didReceiveNotificationResponse:withCompletionHandler:]"
    )
    @preconcurrency func application(
        _ application: UIApplication, handleActionWithIdentifier identifier: String?,
        for notification: UILocalNotification, withResponseInfo responseInfo: [AnyHashable: Any],
        completionHandler: @escaping @Sendable () -> Void
    )

    @available(
        *, deprecated,
        message: "Use -[UNUserNotificationCenterDelegate didReceiveNotificationResponse:withCompletionHandler:]"
    )
    @preconcurrency func application(
        _ application: UIApplication, handleActionWithIdentifier identifier: String?,
        forRemoteNotification userInfo: [AnyHashable: Any], completionHandler: @escaping @Sendable () -> Void
    )

    @available(
        *, deprecated,
        message: "Use -[UNUserNotificationCenterDelegate didReceiveNotificationResponse:withCompletionHandler:]"
    )
    @preconcurrency func application(
        _ application: UIApplication, handleActionWithIdentifier identifier: String?,
        forRemoteNotification userInfo: [AnyHashable: Any], withResponseInfo responseInfo: [AnyHashable: Any],
        completionHandler: @escaping @Sendable () -> Void
    )
}
