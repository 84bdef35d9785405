import CarillonCore
import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// The app delegate's methods from before iOS 10, which are called while the notification center has no delegate.
extension Person {
    /// Returns the launch options of an app without scenes that was launched by a `UILocalNotification` of its own.
    func oldLaunchOptions(_ reason: OpeningReason?, _ app: InstalledApp) -> [UIApplication.LaunchOptionsKey: Any]? {
        guard case .response(let response)? = reason,
            let original = notifications.oldNotification(response.notification.request.identifier, of: app)
        else { return nil }
        return [.localNotification: original]
    }

    /// - Returns: whether the app has been told.
    func answeredByOldMethods(
        _ response: UNNotificationResponse, _ process: AppProcess, wasLaunchedForIt: Bool, _ grant: ProcessGate.Grant?
    ) async -> Bool {
        let request = response.notification.request
        let original = apps[process.bundle.bundleID].flatMap {
            notifications.oldNotification(request.identifier, of: $0)
        }
        let isTold: Bool
        switch response.actionIdentifier {
        case UNNotificationDismissActionIdentifier: isTold = false
        case UNNotificationDefaultActionIdentifier:
            guard let original else { return false }
            // A launched app has already found the notification in its launch options.
            if wasLaunchedForIt { isTold = true } else { isTold = await life.receivedByOldMethod(original, process) }
        default:
            guard original != nil || request.trigger is UNPushNotificationTrigger else { return false }
            isTold = await handled(response, original, process, grant)
        }
        if isTold {
            traces.note("told by the app delegate, as the notification center has no delegate", about: response)
        }
        return isTold
    }

    private func handled(
        _ response: UNNotificationResponse, _ original: AnyObject?, _ process: AppProcess, _ grant: ProcessGate.Grant?
    ) async -> Bool {
        let method = OptionalMethod.Call()
        let handler: CompletionHandler<Void> = background.completionHandler(
            "handleActionWithIdentifier", of: process, grant: grant,
            report: { [traces] in traces.note($0.sentence, about: response) })
        background.follow(handler)
        let (action, text) = (response.actionIdentifier, (response as? UNTextInputNotificationResponse)?.userText)
        let userInfo = UncheckedUserInfo(response.notification.request.content.userInfo)
        await kernel.call(process, "handleActionWithIdentifier") {
            OptionalMethod.$call.withValue(method) {
                if let original {
                    AppLife.oldMethods.handle(action: action, local: original, text: text, process.application) {
                        handler.call(())
                    }
                } else {
                    AppLife.oldMethods.handle(action: action, remote: userInfo.value, text: text, process.application) {
                        handler.call(())
                    }
                }
            }
        }
        return !method.isMissing("handleActionWithIdentifier")
    }
}
