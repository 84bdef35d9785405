// swift-format-ignore-file: NeverForceUnwrap

import SafariServices
import UIKit
import UserNotifications

// An app as tutorials of iOS 10 have it: Swift 5 mode, completion handlers, the names before Swift 4.2, no scenes.

let readIdentifier = "READ"
let storyCategoryIdentifier = "NEWS_CATEGORY"

@main
class AppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?
    let stories = NewsList()
    let episodes = EpisodeList()

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplicationLaunchOptionsKey: Any]?
    ) -> Bool {
        UNUserNotificationCenter.current().delegate = self
        UITabBarControllerFactory.show(in: self)
        registerForPushNotifications()
        if let notification = launchOptions?[.remoteNotification] as? [String: AnyObject] {
            let aps = notification["aps"] as! [String: AnyObject]
            stories.add(aps)
            (window?.rootViewController as? UITabBarController)?.selectedIndex = 1
        }
        return true
    }

    func registerForPushNotifications() {
        UNUserNotificationCenter.current().requestAuthorization(options: [.alert, .sound, .badge]) { (granted, error) in
            print("Permission granted: \(granted)")
            guard granted else { return }
            let read = UNNotificationAction(identifier: readIdentifier, title: "Read", options: [.foreground])
            let story = UNNotificationCategory(
                identifier: storyCategoryIdentifier, actions: [read], intentIdentifiers: [], options: [])
            UNUserNotificationCenter.current().setNotificationCategories([story])
            self.getNotificationSettings()
        }
    }

    func getNotificationSettings() {
        UNUserNotificationCenter.current().getNotificationSettings { (settings) in
            print("Notification settings: \(settings)")
            guard settings.authorizationStatus == .authorized else { return }
            UIApplication.shared.registerForRemoteNotifications()
        }
    }

    var token: String?

    func application(
        _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {
        let parts = deviceToken.map { data -> String in
            return String(format: "%02.2hhx", data)
        }
        token = parts.joined()
    }

    func application(_ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: Error) {
        print("Failed to register: \(error)")
    }

    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        if Deletable.handle(userInfo, completionHandler) || Perishable.handle(userInfo, completionHandler) { return }
        let aps = userInfo["aps"] as! [String: AnyObject]
        if aps["content-available"] as? Int == 1 {
            episodes.refreshItems { didLoadNewItems in
                completionHandler(didLoadNewItems ? .newData : .noData)
            }
        } else {
            stories.add(aps)
            completionHandler(.newData)
        }
    }

    var events: [String] = []

    func applicationDidBecomeActive(_ application: UIApplication) {
        events.append(application.applicationState == UIApplicationState.active ? "active" : "not active")
    }

    func application(
        _ app: UIApplication, open url: URL, options: [UIApplicationOpenURLOptionsKey: Any] = [:]
    ) -> Bool {
        events.append("opens \(url.absoluteString) from \(options[.sourceApplication] ?? "nowhere")")
        return true
    }

    func applicationDidReceiveMemoryWarning(_ application: UIApplication) { events.append("memory") }
    func applicationSignificantTimeChange(_ application: UIApplication) { events.append("time") }
}

extension AppDelegate: UNUserNotificationCenterDelegate {
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        let userInfo = response.notification.request.content.userInfo
        let aps = userInfo["aps"] as! [String: AnyObject]
        if let story = stories.add(aps) {
            (window?.rootViewController as? UITabBarController)?.selectedIndex = 1
            if response.actionIdentifier == readIdentifier, let url = URL(string: story.link) {
                let safari = SFSafariViewController(url: url)
                window?.rootViewController?.present(safari, animated: true, completion: nil)
            }
        }
        completionHandler()
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        completionHandler([.alert, .sound])
    }
}
