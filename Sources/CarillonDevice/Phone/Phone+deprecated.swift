import CarillonCore
import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// The app delegate's methods from before iOS 10, which are called while the notification center has no delegate.
extension Phone {
    private static let oldMethods: any OldDelegateCalls = OldDelegateMethods()

    /// A `UILocalNotification` has fired while its app is in front: nothing is shown, and the app is told.
    func tellByOldMethod(of app: InstalledApp, _ request: UNNotificationRequest, _ number: Int) async {
        guard let original = app.oldNotifications[request.identifier], let process = app.process else { return }
        if await received(original, process) {
            note("the app is in the foreground and was told by application(_:didReceive:)", in: number)
        }
    }

    /// What an app without scenes finds when a `UILocalNotification` of its own has launched it.
    func oldLaunchOptions(_ reason: OpeningReason?, _ app: InstalledApp) -> [UIApplication.LaunchOptionsKey: Any]? {
        guard case .response(let response)? = reason,
            let original = app.oldNotifications[response.notification.request.identifier]
        else { return nil }
        return [.localNotification: original]
    }

    /// - Returns: whether the app has been told.
    func answeredByOldMethods(
        _ response: UNNotificationResponse, _ process: AppProcess, wasLaunchedForIt: Bool, _ grant: ProcessGate.Grant?
    ) async -> Bool {
        let request = response.notification.request
        let original = app(process.bundle.bundleID)?.oldNotifications[request.identifier]
        let isTold: Bool
        switch response.actionIdentifier {
        case UNNotificationDismissActionIdentifier: isTold = false
        case UNNotificationDefaultActionIdentifier:
            guard let original else { return false }
            // What it was launched for is in its launch options.
            if wasLaunchedForIt { isTold = true } else { isTold = await received(original, process) }
        default:
            guard original != nil || request.trigger is UNPushNotificationTrigger else { return false }
            isTold = await handled(response, original, process, grant)
        }
        if isTold {
            note("told by the app delegate, as the notification center has no delegate", about: response)
        }
        return isTold
    }

    private func received(_ original: AnyObject, _ process: AppProcess) async -> Bool {
        let method = OptionalMethod.Call()
        await call(process) {
            OptionalMethod.$call.withValue(method) { Self.oldMethods.received(local: original, process.application) }
        }
        return !method.isMissing("didReceive")
    }

    private func handled(
        _ response: UNNotificationResponse, _ original: AnyObject?, _ process: AppProcess, _ grant: ProcessGate.Grant?
    ) async -> Bool {
        let method = OptionalMethod.Call()
        let handler: CompletionHandler<Void> = completionHandler(
            "handleActionWithIdentifier", of: process, grant: grant,
            report: { phone, problem in phone.note(problem.sentence, about: response) })
        follow(handler)
        let (action, text) = (response.actionIdentifier, (response as? UNTextInputNotificationResponse)?.userText)
        let userInfo = UncheckedUserInfo(response.notification.request.content.userInfo)
        await call(process) {
            OptionalMethod.$call.withValue(method) {
                if let original {
                    Self.oldMethods.handle(action: action, local: original, text: text, process.application) {
                        handler.call(())
                    }
                } else {
                    Self.oldMethods.handle(action: action, remote: userInfo.value, text: text, process.application) {
                        handler.call(())
                    }
                }
            }
        }
        return !method.isMissing("handleActionWithIdentifier")
    }
}
