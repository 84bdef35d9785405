import UIKit
import UserNotifications

// An app with messages that are valid for a limited time: a message that has expired on the way is not shown, even if APNs has
// delivered it. The messages come as silent pushes, with the service's own data under `internalData`.

/// A message of the service; `nil` for a push of another sender.
struct ServiceMessage {
    let id: String
    let title: String
    let body: String
    let sound: UNNotificationSound?
    let userInfo: [AnyHashable: Any]

    init?(payload: [AnyHashable: Any]) {
        guard let id = payload["messageId"] as? String else { return nil }
        let silent = (payload["internalData"] as? [String: Any])?["silent"] as? [String: Any]
        self.id = id
        title = silent?["title"] as? String ?? ""
        body = silent?["body"] as? String ?? ""
        sound = (silent?["sound"] as? String).map {
            $0 == "default" ? .default : UNNotificationSound(named: UNNotificationSoundName($0))
        }
        userInfo = payload
    }
}

final class ExpiryGuardApp: UIResponder, UIApplicationDelegate, ArticleLog {
    /// Receives the pushes of other senders.
    var applicationDelegate: UIApplicationDelegate?
    var log: (String) -> Void = { _ in } {
        didSet { (applicationDelegate as? any ArticleLog)?.log = log }
    }
    private(set) var processed: [String] = []

    override init() { super.init() }

    /// - Parameter delegate: the app's second delegate, which receives the pushes of other senders.
    init(forwardsTo delegate: UIApplicationDelegate) {
        applicationDelegate = delegate
        super.init()
    }

    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        if let message = ServiceMessage(payload: userInfo) {
            let internalData = userInfo["internalData"] as? [String: Any] ?? [:]
            let isSilent = internalData["silent"] != nil
            let isNewInApp = internalData["inAppDetails"] != nil

            var isExpired = false
            if let validUntil = internalData["validUntil"] {
                let currentTime = Date().timeIntervalSince1970
                let validUntilTime = ObjectiveC.doubleValue(of: validUntil) / 1000.0
                isExpired = currentTime > validUntilTime
            }
            if isExpired {
                completionHandler(.noData)
                return
            }
            if isSilent && !isNewInApp {
                schedule(message) {
                    self.process(message, completionHandler)
                }
            } else {
                process(message, completionHandler)
            }
        } else if let applicationDelegate = applicationDelegate {
            applicationDelegate.application(
                application, didReceiveRemoteNotification: userInfo, fetchCompletionHandler: completionHandler)
        } else {
            completionHandler(.noData)
        }
    }

    private func schedule(_ message: ServiceMessage, completion: @escaping () -> Void) {
        let content = UNMutableNotificationContent()
        content.title = message.title
        content.body = message.body
        content.sound = message.sound
        content.userInfo = message.userInfo
        let request = UNNotificationRequest(identifier: message.id, content: content, trigger: nil)
        UNUserNotificationCenter.current().add(request) { _ in completion() }
    }

    private func process(_ message: ServiceMessage, _ completionHandler: @escaping (UIBackgroundFetchResult) -> Void) {
        processed.append(message.id)
        completionHandler(.newData)
    }
}

/// The delegate to which the guard hands the pushes of other senders.
final class SecondDelegate: UIResponder, UIApplicationDelegate, ArticleLog {
    var log: (String) -> Void = { _ in }

    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        log("the second delegate has it: \(ArticleScreen.keys(of: userInfo))")
        completionHandler(.newData)
    }
}
