// Swift 5: accepted · Swift 5, main actor by default: accepted · Swift 6: warned · Swift 6, main actor by default: accepted
import UIKit
import UserNotifications

class PlainManager: NSObject {
    static let shared = PlainManagerBox()

    func register() {
        UNUserNotificationCenter.current().requestAuthorization(options: [.alert, .sound, .badge]) { granted, _ in
            guard granted else { return }
            DispatchQueue.main.async { UIApplication.shared.registerForRemoteNotifications() }
        }
    }

    func clearBadge() { UIApplication.shared.applicationIconBadgeNumber = 0 }

    func topController() -> UIViewController? {
        UIApplication.shared.windows.first { $0.isKeyWindow }?.rootViewController?.presentedViewController
    }
}

final class PlainManagerBox: Sendable {}
