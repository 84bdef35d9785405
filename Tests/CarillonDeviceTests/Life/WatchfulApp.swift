import Foundation
import UIKit

/// Writes down everything that the system says to an app's delegate, and does with handlers what the test wants.
final class WatchfulApp: UIResponder, UIApplicationDelegate {
    let diary: Diary
    /// Done at the end of launching.
    var onLaunch: @MainActor (UIApplication) -> Void = { _ in }
    var onFetch: @MainActor (@escaping @Sendable (UIBackgroundFetchResult) -> Void) -> Void = { $0(.newData) }
    var onTransfers: @MainActor (@escaping @Sendable () -> Void) -> Void = { $0() }
    var onShortcut: @MainActor (@escaping @Sendable (Bool) -> Void) -> Void = { $0(true) }
    /// What is given to the restoration handler.
    var restored: [any UIUserActivityRestoring] = []

    init(_ diary: Diary, _ adjust: (WatchfulApp) -> Void = { _ in }) {
        self.diary = diary
        super.init()
        adjust(self)
    }

    required init() { preconditionFailure("made with a diary") }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let activity = launchOptions?[.userActivityDictionary] as? [String: Any]
        let type = activity?[UIApplication.LaunchOptionsKey.userActivityType.rawValue] as? String
        diary.write("launched\(type.map { " for \($0)" } ?? "")")
        onLaunch(application)
        return true
    }

    func applicationDidBecomeActive(_ application: UIApplication) { diary.write("active") }
    func applicationWillResignActive(_ application: UIApplication) { diary.write("resigns") }
    func applicationDidEnterBackground(_ application: UIApplication) { diary.write("background") }
    func applicationWillEnterForeground(_ application: UIApplication) { diary.write("foreground") }
    func applicationWillTerminate(_ application: UIApplication) { diary.write("terminates") }
    func applicationSignificantTimeChange(_ application: UIApplication) { diary.write("a new day") }

    func applicationProtectedDataWillBecomeUnavailable(_ application: UIApplication) {
        diary.write("files close, readable: \(application.isProtectedDataAvailable)")
    }

    func applicationProtectedDataDidBecomeAvailable(_ application: UIApplication) {
        diary.write("files open, readable: \(application.isProtectedDataAvailable)")
    }

    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping @Sendable (UIBackgroundFetchResult) -> Void
    ) {
        diary.write("push, readable: \(application.isProtectedDataAvailable)")
        onFetch(completionHandler)
    }

    func application(
        _ application: UIApplication,
        performFetchWithCompletionHandler completionHandler: @escaping @Sendable (UIBackgroundFetchResult) -> Void
    ) {
        diary.write("fetches")
        onFetch(completionHandler)
    }

    func application(
        _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
        completionHandler: @escaping @Sendable () -> Void
    ) {
        diary.write("transfers of \(identifier)")
        onTransfers(completionHandler)
    }

    func application(
        _ application: UIApplication, performActionFor shortcutItem: UIApplicationShortcutItem,
        completionHandler: @escaping @Sendable (Bool) -> Void
    ) {
        diary.write("shortcut \(shortcutItem.type)")
        onShortcut(completionHandler)
    }

    func application(
        _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]
    ) -> Bool {
        diary.write("opens \(url.absoluteString) from \(options[.sourceApplication] ?? "nowhere")")
        return true
    }

    func application(_ application: UIApplication, willContinueUserActivityWithType userActivityType: String) -> Bool {
        diary.write("will go on with \(userActivityType)")
        return false
    }

    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
    ) -> Bool {
        diary.write("goes on at \(userActivity.webpageURL?.absoluteString ?? userActivity.title ?? "nothing")")
        restorationHandler(restored)
        return true
    }

    func application(
        _ application: UIApplication, didFailToContinueUserActivityWithType userActivityType: String,
        error: any Error
    ) { diary.write("cannot go on with \(userActivityType)") }

    func application(_ application: UIApplication, didUpdate userActivity: NSUserActivity) {
        diary.write("offers \(userActivity.title ?? "nothing")")
    }
}
