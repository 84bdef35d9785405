import Foundation
import SafariServices
import UIKit
import UserNotifications

// The tutorial's app, at its last step and at the steps before it: permission, token, news, an action, a silent refresh. A
// payload without `aps` ends it, as `as!` does in the original.

private let viewAction = "VIEW_IDENTIFIER"
private let newsCategory = "NEWS_CATEGORY"

/// The parts that the tutorial's app has at every step: its tabs, permission, the token, and what it prints.
@MainActor class TutorialScreens: UIResponder {
    struct NewsItem {
        let title: String
        let link: String
    }

    var window: UIWindow?
    private let feed: URL
    private var episodes: [String] = []
    private var newsItems: [NewsItem] = []
    let tabs = UITabBarController()
    private let podcasts = ArticleScreen(title: "Podcasts", about: "the latest episodes")
    private let news = ArticleScreen(title: "News", about: "breaking news comes as pushes")
    /// The lines that the original prints to Xcode's console.
    private let console = ArticleScreen(title: "Console", about: "what the app prints")

    init(feed: URL) { self.feed = feed }

    /// Shows the tabs, and asks for permission.
    ///
    /// - Parameter hasAction: whether the app registers the category with the action View.
    func showTabs(hasAction: Bool) {
        podcasts.tabBarItem = UITabBarItem(title: "Podcasts", image: UIImage(systemName: "mic"), tag: 0)
        news.tabBarItem = UITabBarItem(title: "News", image: UIImage(systemName: "newspaper"), tag: 1)
        console.tabBarItem = UITabBarItem(title: "Console", image: UIImage(systemName: "ellipsis"), tag: 2)
        tabs.viewControllers = [podcasts, news, console]
        let window = UIWindow(frame: UIScreen.main.bounds)
        window.rootViewController = tabs
        window.makeKeyAndVisible()
        self.window = window
        registerForPushNotifications(hasAction: hasAction)
        refreshItems { _ in }
    }

    /// Makes a news item of the push that has launched the app, and opens the tab News.
    func takeLaunchPush(_ launchOptions: [UIApplicationLaunchOptionsKey: Any]?) {
        guard let notification = launchOptions?[.remoteNotification] as? [String: Any] else { return }
        if let aps = aps(of: notification) { _ = makeNewsItem(aps) }
        tabs.selectedIndex = 1
    }

    private func registerForPushNotifications(hasAction: Bool) {
        UNUserNotificationCenter.current().requestAuthorization(options: [.alert, .sound, .badge]) { granted, _ in
            self.print("Permission granted: \(granted)")
            guard granted else { return }
            if hasAction {
                let view = UNNotificationAction(identifier: viewAction, title: "View", options: [.foreground])
                let category = UNNotificationCategory(
                    identifier: newsCategory, actions: [view], intentIdentifiers: [], options: [])
                UNUserNotificationCenter.current().setNotificationCategories([category])
            }
            UNUserNotificationCenter.current().getNotificationSettings { settings in
                self.print("Notification settings: \(settings)")
                guard settings.authorizationStatus == .authorized else { return }
                DispatchQueue.main.async { UIApplication.shared.registerForRemoteNotifications() }
            }
        }
    }

    func application(
        _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {
        let tokenParts = deviceToken.map { data -> String in
            return String(format: "%02.2hhx", data)
        }
        self.print("Device Token: \(tokenParts.joined())")
    }

    func application(_ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: Error) {
        self.print("Failed to register: \(error)")
    }

    private nonisolated func print(_ line: String) {
        DispatchQueue.main.async { self.console.add(line) }
    }

    /// Reads `aps`; without it the app ends.
    func aps(of userInfo: [AnyHashable: Any]) -> [String: Any]? {
        if let aps = userInfo["aps"] as? [String: Any] { return aps }
        ObjectiveC.failCast(of: userInfo["aps"], to: "NSDictionary")
        return nil
    }

    func makeNewsItem(_ aps: [String: Any]) -> NewsItem? {
        guard let title = aps["alert"] as? String, let link = aps["link_url"] as? String else { return nil }
        let item = NewsItem(title: title, link: link)
        newsItems.insert(item, at: 0)
        news.add("\(title)\n\(link)")
        return item
    }

    func refreshItems(_ completion: @escaping (_ didLoadNewItems: Bool) -> Void) {
        struct Feed: Decodable {
            struct Episode: Decodable {
                var title: String
            }
            var episodes: [Episode]
        }
        Task { @MainActor in
            let data = try? await URLSession.shared.data(from: feed).0
            let titles = data.flatMap { try? JSONDecoder().decode(Feed.self, from: $0) }?.episodes.map(\.title)
            let fresh = (titles ?? episodes).filter { !episodes.contains($0) }
            for title in fresh { podcasts.add(title) }
            episodes += fresh
            completion(!fresh.isEmpty)
        }
    }
}

/// The tutorial's app at its last step.
final class TutorialApp: TutorialScreens, UIApplicationDelegate, UNUserNotificationCenterDelegate {
    func application(
        _ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplicationLaunchOptionsKey: Any]?
    ) -> Bool {
        UNUserNotificationCenter.current().delegate = self
        showTabs(hasAction: true)
        takeLaunchPush(launchOptions)
        return true
    }

    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        guard let aps = aps(of: userInfo) else { return }
        if aps["content-available"] as? Int == 1 {
            refreshItems { didLoadNewItems in completionHandler(didLoadNewItems ? .newData : .noData) }
        } else {
            _ = makeNewsItem(aps)
            completionHandler(.newData)
        }
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        if let aps = aps(of: response.notification.request.content.userInfo), let item = makeNewsItem(aps) {
            tabs.selectedIndex = 1
            if response.actionIdentifier == viewAction, let url = URL(string: item.link) {
                tabs.present(SFSafariViewController(url: url), animated: true, completion: nil)
            }
        }
        completionHandler()
    }
}

/// The tutorial's app after its first step: it has permission and a token, and no method that handles a push.
final class TutorialRegisteringApp: TutorialScreens, UIApplicationDelegate {
    func application(
        _ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplicationLaunchOptionsKey: Any]?
    ) -> Bool {
        showTabs(hasAction: false)
        return true
    }
}

/// The tutorial's app in the middle: its first fetch handler never calls the completion handler, and the notification center
/// has no delegate, so that nobody hears of View.
final class TutorialReceivingApp: TutorialScreens, UIApplicationDelegate {
    private let hasAction: Bool

    init(feed: URL, hasAction: Bool) {
        self.hasAction = hasAction
        super.init(feed: feed)
    }

    func application(
        _ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplicationLaunchOptionsKey: Any]?
    ) -> Bool {
        showTabs(hasAction: hasAction)
        takeLaunchPush(launchOptions)
        return true
    }

    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        guard let aps = aps(of: userInfo) else { return }
        _ = makeNewsItem(aps)
    }
}
