import UIKit
import UserNotifications

// An app whose messages are valid for a while: what has expired on the way is not shown, whatever APNs did. Its messages
// come as silent pushes, and the service's own part of them stands under `internalData`.

/// A message of the service; a push of somebody else's is none.
struct ServiceMessage {
    let id: String
    let body: String

    init?(payload: [AnyHashable: Any]) {
        guard let id = payload["messageId"] as? String else { return nil }
        let silent = (payload["internalData"] as? [String: Any])?["silent"] as? [String: Any]
        self.id = id
        body = silent?["body"] as? String ?? ""
    }
}

final class ExpiryGuardApp: UIResponder, UIApplicationDelegate {
    /// Gets the pushes that are none of the service's.
    var applicationDelegate: UIApplicationDelegate?
    private(set) var processed: [String] = []

    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        if let message = ServiceMessage(payload: userInfo) {
            let internalData = userInfo["internalData"] as? [String: Any] ?? [:]
            let isSilent = internalData["silent"] != nil
            let isNewInApp = internalData["inAppDetails"] != nil

            var isExpired = false
            if let validUntil = internalData["validUntil"] as? NSNumber {
                let currentTime = Date().timeIntervalSince1970
                let validUntilTime = validUntil.doubleValue / 1000.0
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
        content.body = message.body
        let request = UNNotificationRequest(identifier: message.id, content: content, trigger: nil)
        UNUserNotificationCenter.current().add(request) { _ in completion() }
    }

    private func process(_ message: ServiceMessage, _ completionHandler: @escaping (UIBackgroundFetchResult) -> Void) {
        processed.append(message.id)
        completionHandler(.newData)
    }
}
