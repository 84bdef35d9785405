import CarillonApp
import SwiftUI
import UserNotifications

// The app of the guide "Scenes and SwiftUI", which cannot be built on Linux; only its declarations are checked.

@main
struct NewsApp: App {
    @UIApplicationDelegateAdaptor private var delegate: AppDelegate

    var body: some Scene {
        WindowGroup {
            NewsList(news: delegate.news)
                .task { delegate.carillon?.appIsReady() }
        }
    }
}

struct NewsList: View {
    let news: [Carillon.Message]

    var body: some View {
        Text("\(news.count) messages")
    }
}

/// An app delegate with what every guide has, in one place.
final class AppDelegate: UIResponder, UIApplicationDelegate {
    private(set) var carillon: Carillon?
    private(set) var news: [Carillon.Message] = []

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        guard let url = URL(string: "https://push.example.com") else { return false }
        UNUserNotificationCenter.current().delegate = self
        let carillon = Carillon(configuration: Carillon.Configuration(service: url), appGroup: "group.com.example.app")
        carillon.onMessage = { [weak self] message in self?.news.append(message) }
        carillon.start(launchOptions: launchOptions)
        self.carillon = carillon
        return true
    }

    func application(
        _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) { carillon?.didRegisterForRemoteNotifications(withDeviceToken: deviceToken) }

    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        guard let carillon else { return completionHandler(.noData) }
        carillon.didReceiveRemoteNotification(userInfo, fetchCompletionHandler: completionHandler)
    }
}

extension AppDelegate: @preconcurrency UNUserNotificationCenterDelegate {
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        guard let carillon else { return completionHandler([]) }
        carillon.willPresent(notification, withCompletionHandler: completionHandler)
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        guard let carillon else { return completionHandler() }
        carillon.didReceive(response, withCompletionHandler: completionHandler)
    }
}
