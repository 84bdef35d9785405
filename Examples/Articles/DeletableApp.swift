import UIKit
import UserNotifications

// An app that makes its notifications itself from silent pushes, so that another silent push can remove them:
// {"crt": 1, "title": "hello there"} and {"dlt": 1}. Apps of this kind have existed since iOS 10.

/// The app's own part of a push, as a push SDK returns it: the JSON text under `u`, or the keys beside `aps`.
enum CustomData {
    static func of(_ userInfo: [AnyHashable: Any]) -> [AnyHashable: Any]? {
        guard let text = userInfo["u"] as? String else { return userInfo }
        return (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any]
    }
}

/// Accepts an identifier as a number or as a text, and waits until a removal is complete.
class DeletableApp: UIResponder, UIApplicationDelegate, UNUserNotificationCenterDelegate, ArticleLog {
    private(set) var tapped: [String] = []
    var log: (String) -> Void = { _ in }

    func application(
        _ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplicationLaunchOptionsKey: Any]?
    ) -> Bool {
        UNUserNotificationCenter.current().delegate = self
        UNUserNotificationCenter.current().requestAuthorization(options: [.alert, .sound, .badge]) { granted, _ in
            guard granted else { return }
            DispatchQueue.main.async { UIApplication.shared.registerForRemoteNotifications() }
        }
        return true
    }

    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        logPush(userInfo)
        let userData = CustomData.of(userInfo)
        if let gone = text(userData?["dlt"]) {
            let identifier = "com.pushwoosh.notification." + gone
            UNUserNotificationCenter.current().removeDeliveredNotifications(withIdentifiers: [identifier])
            UserDefaults.standard.removeObject(forKey: identifier)
        }
        guard let made = text(userData?["crt"]) else {
            guard text(userData?["dlt"]) != nil else { return completionHandler(.noData) }
            return whenRemoved { completionHandler(.newData) }
        }
        guard let title = title(userData?["title"]) else {
            return completionHandler(.failed)
        }
        let content = UNMutableNotificationContent()
        content.title = title
        content.userInfo = userInfo
        let identifier = "com.pushwoosh.notification." + made
        let request = UNNotificationRequest(identifier: identifier, content: content, trigger: nil)
        UNUserNotificationCenter.current().add(
            request,
            withCompletionHandler: { (error) in
                if error == nil {
                    UserDefaults.standard.set(identifier, forKey: identifier)
                }
                completionHandler(error == nil ? .newData : .failed)
            })
    }

    /// Prints the whole payload, which only the listing in Objective-C does.
    func logPush(_ userInfo: [AnyHashable: Any]) {}

    func text(_ identifier: Any?) -> String? { identifier.map { "\($0)" } }

    /// Reads the title of a notification to be made; `nil` where the app does not get past it.
    func title(_ title: Any?) -> String? { title as? String ?? "" }

    func whenRemoved(_ next: @escaping () -> Void) {
        UNUserNotificationCenter.current().getDeliveredNotifications { _ in next() }
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        tapped.append(response.notification.request.identifier)
        log("\(response.notification)")
        completionHandler()
    }
}

/// The app as the article lists it in Objective-C: any identifier, since `%@` makes a text of a number too, and an answer
/// while the removal has only been asked for.
class ListedObjectiveCApp: DeletableApp {
    override func logPush(_ userInfo: [AnyHashable: Any]) {
        log("Push notification fetch :\(userInfo as NSDictionary)")
    }
    override func whenRemoved(_ next: @escaping () -> Void) { next() }
}

/// The app as the article lists it in Swift, which does nothing with an identifier that is sent as a number (`as? String`).
///
/// A push without a title ends it, at `as! String`.
final class ListedApp: ListedObjectiveCApp {
    override func logPush(_ userInfo: [AnyHashable: Any]) {}
    override func text(_ identifier: Any?) -> String? { identifier as? String }

    override func title(_ title: Any?) -> String? {
        if let title = title as? String { return title }
        ObjectiveC.failCast(of: title, to: "NSString")
        return nil
    }
}
