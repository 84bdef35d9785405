// Swift 5: accepted · Swift 5, main actor by default: accepted · Swift 6: refused · Swift 6, main actor by default: accepted
import UIKit
import UserNotifications

class ExtendedAppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?
    var opened: [String] = []
}

extension ExtendedAppDelegate: UNUserNotificationCenterDelegate {
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) { completionHandler([.banner, .sound]) }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        opened.append(response.notification.request.identifier)
        window?.rootViewController?.dismiss(animated: true)
        completionHandler()
    }
}
