import Foundation
import UIKit

/// An ordinary app delegate, as an app would have it: asks for permission, registers, writes down what it is told.
final class AskingApp: UIResponder, UIApplicationDelegate, @preconcurrency UNUserNotificationCenterDelegate {
    var window: UIWindow?
    let callLog: CallLog
    var presentation: UNNotificationPresentationOptions = [.banner, .list, .sound, .badge]
    var categories: Set<UNNotificationCategory> = []
    var options: UNAuthorizationOptions = [.alert, .sound, .badge]
    /// The closure that handles a push; the default calls the completion handler at once.
    var onPush: @MainActor ([AnyHashable: Any], @escaping @Sendable (UIBackgroundFetchResult) -> Void) -> Void = {
        $1(.newData)
    }

    init(_ callLog: CallLog, _ adjust: (AskingApp) -> Void = { _ in }) {
        self.callLog = callLog
        super.init()
        adjust(self)
    }

    override init() {
        callLog = CallLog()
        super.init()
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        callLog.write(launchOptions?[.remoteNotification] == nil ? "launched" : "launched by a push")
        let center = UNUserNotificationCenter.current()
        center.delegate = self
        center.setNotificationCategories(categories)
        center.requestAuthorization(options: options) { [callLog] granted, _ in
            DispatchQueue.main.async {
                callLog.write("granted: \(granted)")
                if granted { UIApplication.shared.registerForRemoteNotifications() }
            }
        }
        return true
    }

    func application(
        _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) { callLog.write("token: \(deviceToken.count) bytes") }

    func application(
        _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error
    ) { callLog.write("no token") }

    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping @Sendable (UIBackgroundFetchResult) -> Void
    ) {
        callLog.write("push while \(application.applicationState)")
        onPush(userInfo, completionHandler)
    }

    func applicationDidBecomeActive(_ application: UIApplication) { callLog.write("active") }
    func applicationWillResignActive(_ application: UIApplication) { callLog.write("resigns") }
    func applicationDidEnterBackground(_ application: UIApplication) { callLog.write("background") }
    func applicationWillEnterForeground(_ application: UIApplication) { callLog.write("foreground") }
    func applicationWillTerminate(_ application: UIApplication) { callLog.write("terminates") }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void
    ) {
        callLog.write("willPresent \(notification.request.identifier)")
        completionHandler(presentation)
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    ) {
        let text = (response as? UNTextInputNotificationResponse).map { " “\($0.userText)”" } ?? ""
        callLog.write("\(response.actionIdentifier) on \(response.notification.request.identifier)\(text)")
        completionHandler()
    }
}
