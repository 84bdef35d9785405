import Foundation
@_spi(Simulation) import UserNotifications

/// Default implementations of the methods that an app's delegate lacks; ``OptionalMethod`` records which methods are missing.
extension UIApplicationDelegate {
    @_disfavoredOverload public var window: UIWindow? {
        get { nil }
        set {}
    }

    public func application(
        _ application: UIApplication,
        willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool { true }

    public func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        applicationDidFinishLaunching(application)
        return true
    }

    public func applicationDidFinishLaunching(_ application: UIApplication) {}
    public func applicationDidBecomeActive(_ application: UIApplication) {}
    public func applicationWillResignActive(_ application: UIApplication) {}
    public func applicationDidEnterBackground(_ application: UIApplication) {}
    public func applicationWillEnterForeground(_ application: UIApplication) {}
    public func applicationWillTerminate(_ application: UIApplication) {}
    public func applicationDidReceiveMemoryWarning(_ application: UIApplication) {}
    public func applicationSignificantTimeChange(_ application: UIApplication) {}
    public func applicationProtectedDataWillBecomeUnavailable(_ application: UIApplication) {}
    public func applicationProtectedDataDidBecomeAvailable(_ application: UIApplication) {}

    public func application(
        _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) { OptionalMethod.noteUnimplemented("didRegisterForRemoteNotificationsWithDeviceToken") }

    public func application(
        _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error
    ) { OptionalMethod.noteUnimplemented("didFailToRegisterForRemoteNotificationsWithError") }

    public func application(_ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]) {
        OptionalMethod.noteUnimplemented("didReceiveRemoteNotification")
    }

    public func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping @Sendable (UIBackgroundFetchResult) -> Void
    ) {
        let delegate = CallOnMain(delegate: self, userInfo: userInfo)
        OptionalMethod("fetchCompletionHandler", of: self).completionFormIsMissing {
            completionHandler(await delegate.receive(application))
        } neither: {
            completionHandler(.noData)
        }
    }

    // Isolated to no actor, like the next async default: otherwise each Swift 5 app is warned that its parameter is sent.
    nonisolated(nonsending) public func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]
    ) async -> UIBackgroundFetchResult {
        await CallOnMain(delegate: self, userInfo: userInfo).receiveByCompletion(application)
    }

    public func application(
        _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]
    ) -> Bool {
        let older: any OldDelegateCalls = OldDelegateMethods()
        return older.open(url, options: options, app, delegate: self)
    }

    public func application(
        _ application: UIApplication, willContinueUserActivityWithType userActivityType: String
    ) -> Bool { false }

    public func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
    ) -> Bool { false }

    public func application(
        _ application: UIApplication, didFailToContinueUserActivityWithType userActivityType: String,
        error: any Error
    ) {}

    public func application(_ application: UIApplication, didUpdate userActivity: NSUserActivity) {}

    public func application(
        _ application: UIApplication,
        performFetchWithCompletionHandler completionHandler: @escaping @Sendable (UIBackgroundFetchResult) -> Void
    ) {
        OptionalMethod.noteUnimplemented("performFetchWithCompletionHandler")
        completionHandler(.noData)
    }

    public func application(
        _ application: UIApplication, performActionFor shortcutItem: UIApplicationShortcutItem,
        completionHandler: @escaping @Sendable (Bool) -> Void
    ) {
        let delegate = CallOnMain(delegate: self, shortcutItem: shortcutItem)
        OptionalMethod("performActionFor", of: self).completionFormIsMissing {
            completionHandler(await delegate.performAction(application))
        } neither: {
            completionHandler(false)
        }
    }

    nonisolated(nonsending) public func application(
        _ application: UIApplication, performActionFor shortcutItem: UIApplicationShortcutItem
    ) async -> Bool {
        await CallOnMain(delegate: self, shortcutItem: shortcutItem).performActionByCompletion(application)
    }

    public func application(
        _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
        completionHandler: @escaping @Sendable () -> Void
    ) {
        let delegate = CallOnMain(delegate: self)
        OptionalMethod("handleEventsForBackgroundURLSession", of: self).completionFormIsMissing {
            await delegate.handleEvents(application, identifier)
            completionHandler()
        } neither: {
            completionHandler()
        }
    }

    public func application(
        _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String
    ) async {
        let method = OptionalMethod("handleEventsForBackgroundURLSession", of: self)
        let _: Bool? = await method.asyncFormIsMissing { answer in
            self.application(application, handleEventsForBackgroundURLSession: identifier) { answer(true) }
        }
    }

    public func application(
        _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration {
        OptionalMethod.noteUnimplemented("configurationForConnecting")
        return UISceneConfiguration(name: nil, sessionRole: connectingSceneSession.role)
    }

    public func application(
        _ application: UIApplication, didDiscardSceneSessions sceneSessions: Set<UISceneSession>
    ) {}

    public func application(
        _ application: UIApplication, supportedInterfaceOrientationsFor window: UIWindow?
    ) -> UIInterfaceOrientationMask { .allButUpsideDown }
}

/// The arguments of a delegate's method, passed to the main actor: the delegate, with a payload or a quick action.
///
/// `@unchecked`: the main actor only reads them, and no other code has or changes them.
private struct CallOnMain: @unchecked Sendable {
    let delegate: any UIApplicationDelegate
    var userInfo: [AnyHashable: Any] = [:]
    var shortcutItem: UIApplicationShortcutItem?

    @MainActor func receive(_ application: UIApplication) async -> UIBackgroundFetchResult {
        await delegate.application(application, didReceiveRemoteNotification: userInfo)
    }

    @MainActor func receiveByCompletion(_ application: UIApplication) async -> UIBackgroundFetchResult {
        await OptionalMethod("fetchCompletionHandler", of: delegate).asyncFormIsMissing { answer in
            delegate.application(application, didReceiveRemoteNotification: userInfo, fetchCompletionHandler: answer)
        } ?? .noData
    }

    @MainActor func performAction(_ application: UIApplication) async -> Bool {
        guard let shortcutItem else { return false }
        return await delegate.application(application, performActionFor: shortcutItem)
    }

    @MainActor func performActionByCompletion(_ application: UIApplication) async -> Bool {
        guard let shortcutItem else { return false }
        return await OptionalMethod("performActionFor", of: delegate).asyncFormIsMissing { answer in
            delegate.application(application, performActionFor: shortcutItem, completionHandler: answer)
        } ?? false
    }

    @MainActor func handleEvents(_ application: UIApplication, _ identifier: String) async {
        await delegate.application(application, handleEventsForBackgroundURLSession: identifier)
    }
}
