import Foundation
import UIKit

/// Writes down everything that the system says to an app's delegate, and does with handlers what the test wants.
final class WatchfulApp: CallLoggingResponder, UIApplicationDelegate {
    /// Done at the end of launching.
    var onLaunch: @MainActor (UIApplication) -> Void = { _ in }
    var onFetch: @MainActor (@escaping @Sendable (UIBackgroundFetchResult) -> Void) -> Void = { $0(.newData) }
    var onTransfers: @MainActor (@escaping @Sendable () -> Void) -> Void = { $0() }
    var onShortcut: @MainActor (@escaping @Sendable (Bool) -> Void) -> Void = { $0(true) }
    /// The objects that the app passes to the restoration handler.
    var restored: [any UIUserActivityRestoring] = []

    convenience init(_ callLog: CallLog, _ adjust: (WatchfulApp) -> Void) {
        self.init(callLog)
        adjust(self)
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let activity = launchOptions?[.userActivityDictionary] as? [String: Any]
        let type = activity?[UIApplication.LaunchOptionsKey.userActivityType.rawValue] as? String
        callLog.write("launched\(type.map { " for \($0)" } ?? "")")
        onLaunch(application)
        return true
    }

    func applicationDidBecomeActive(_ application: UIApplication) { callLog.write("active") }
    func applicationWillResignActive(_ application: UIApplication) { callLog.write("resigns") }
    func applicationDidEnterBackground(_ application: UIApplication) { callLog.write("background") }
    func applicationWillEnterForeground(_ application: UIApplication) { callLog.write("foreground") }
    func applicationWillTerminate(_ application: UIApplication) { callLog.write("terminates") }
    func applicationSignificantTimeChange(_ application: UIApplication) { callLog.write("a new day") }

    func applicationProtectedDataWillBecomeUnavailable(_ application: UIApplication) {
        callLog.write("files close, readable: \(application.isProtectedDataAvailable)")
    }

    func applicationProtectedDataDidBecomeAvailable(_ application: UIApplication) {
        callLog.write("files open, readable: \(application.isProtectedDataAvailable)")
    }

    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping @Sendable (UIBackgroundFetchResult) -> Void
    ) {
        callLog.write("push, readable: \(application.isProtectedDataAvailable)")
        onFetch(completionHandler)
    }

    func application(
        _ application: UIApplication,
        performFetchWithCompletionHandler completionHandler: @escaping @Sendable (UIBackgroundFetchResult) -> Void
    ) {
        callLog.write("fetches")
        onFetch(completionHandler)
    }

    func application(
        _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
        completionHandler: @escaping @Sendable () -> Void
    ) {
        callLog.write("transfers of \(identifier)")
        onTransfers(completionHandler)
    }

    func application(
        _ application: UIApplication, performActionFor shortcutItem: UIApplicationShortcutItem,
        completionHandler: @escaping @Sendable (Bool) -> Void
    ) {
        callLog.write("shortcut \(shortcutItem.type)")
        onShortcut(completionHandler)
    }

    func application(
        _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]
    ) -> Bool {
        callLog.write("opens \(url.absoluteString) from \(options[.sourceApplication] ?? "nowhere")")
        return true
    }

    func application(_ application: UIApplication, willContinueUserActivityWithType userActivityType: String) -> Bool {
        callLog.write("will go on with \(userActivityType)")
        return false
    }

    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
    ) -> Bool {
        callLog.write("goes on at \(userActivity.webpageURL?.absoluteString ?? userActivity.title ?? "nothing")")
        restorationHandler(restored)
        return true
    }

    func application(
        _ application: UIApplication, didFailToContinueUserActivityWithType userActivityType: String,
        error: any Error
    ) { callLog.write("cannot go on with \(userActivityType)") }

    func application(_ application: UIApplication, didUpdate userActivity: NSUserActivity) {
        callLog.write("offers \(userActivity.title ?? "nothing")")
    }
}
