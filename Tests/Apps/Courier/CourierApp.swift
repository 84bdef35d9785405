import UIKit
import UserNotifications

// An app as it is written today: Swift 6 mode, async methods, scenes.

@main
final class CourierApp: UIResponder, UIApplicationDelegate {
    private(set) var token: Data?
    private(set) var failure: (any Error)?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        UNUserNotificationCenter.current().delegate = self
        UNUserNotificationCenter.current().setNotificationCategories([.letter])
        Task { await askForPermission(application) }
        return true
    }

    private func askForPermission(_ application: UIApplication) async {
        do {
            let options: UNAuthorizationOptions = [.alert, .sound, .badge, .providesAppNotificationSettings]
            guard try await UNUserNotificationCenter.current().requestAuthorization(options: options) else { return }
            application.registerForRemoteNotifications()
        } catch {
            failure = error
        }
    }

    func application(
        _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration {
        let configuration = UISceneConfiguration(name: "Default", sessionRole: connectingSceneSession.role)
        configuration.delegateClass = CourierScene.self
        return configuration
    }

    func application(
        _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) { token = deviceToken }

    func application(
        _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error
    ) { failure = error }

    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]
    ) async -> UIBackgroundFetchResult {
        guard let recalled = userInfo["recall"] as? [String] else { return .noData }
        let center = UNUserNotificationCenter.current()
        center.removeDeliveredNotifications(withIdentifiers: recalled)
        let left = await center.deliveredNotifications().map(\.request.identifier)
        return left.contains(where: recalled.contains) ? .failed : .newData
    }
}

extension CourierApp: @preconcurrency UNUserNotificationCenterDelegate {
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions { [.banner, .list, .badge] }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
    ) async {
        guard let scene = response.targetScene?.delegate as? CourierScene else { return }
        if let reply = response as? UNTextInputNotificationResponse {
            scene.note("replied “\(reply.userText)” to \(response.notification.request.identifier)")
        } else {
            scene.note("opened \(response.notification.request.identifier)")
        }
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?
    ) {
        for case let scene as CourierScene in UIApplication.shared.connectedScenes.map(\.delegate) {
            scene.note("settings for \(notification?.request.identifier ?? "everything")")
        }
    }
}

extension UNNotificationCategory {
    static var letter: UNNotificationCategory {
        UNNotificationCategory(
            identifier: "LETTER",
            actions: [
                UNTextInputNotificationAction(
                    identifier: "REPLY", title: "Reply", options: [.foreground], textInputButtonTitle: "Send",
                    textInputPlaceholder: "Text")
            ],
            intentIdentifiers: [])
    }
}
