import UIKit
import UserNotifications

/// Stands for the delegate of the reader's app, in the test that the page gives away.
final class AppDelegate: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        Task {
            _ = try? await UNUserNotificationCenter.current().requestAuthorization(options: [.alert])
            application.registerForRemoteNotifications()
        }
        return true
    }
}
