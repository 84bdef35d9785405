import UIKit
import UserNotifications

final class HarbourLog {
    private(set) var lines: [String] = []

    func note(_ line: String) { lines.append(line) }
}

class HarbourDelegate: NSObject, UIApplicationDelegate, UNUserNotificationCenterDelegate {
    let log = HarbourLog()

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
    ) -> Bool {
        UNUserNotificationCenter.current().delegate = self
        UNUserNotificationCenter.current().requestAuthorization(options: [.alert]) { _, _ in }
        application.registerForRemoteNotifications()
        log.note(Thread.isMainThread ? "launched" : "launched elsewhere")
        return true
    }

    func application(_ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data) {
        log.note("token \(deviceToken.count)")
    }

    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        log.note("ship \(userInfo["ship"] as? String ?? "?")")
        completionHandler(.newData)
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        completionHandler([.banner, .sound])
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        log.note("opened \(response.notification.request.identifier)")
        completionHandler()
    }
}
