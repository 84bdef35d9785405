import CarillonCore
import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// The person's responses, delivered to the notification center's delegate or to the app's delegate.
extension ReasonDelivery {
    /// Passes a response to the notification center's delegate.
    ///
    /// If there is no such delegate, or if it was set too late for the response that launched the app, calls the app
    /// delegate's methods instead.
    func deliver(
        _ response: UNNotificationResponse, to process: AppProcess, wasLaunchedForIt: Bool,
        grant: ProcessGate.Grant? = nil
    ) async {
        let isTooLate =
            wasLaunchedForIt && !process.hadCenterDelegateInTime && kernel.rules.keeps(.delegateBeforeLaunchEnds)
        if let delegate = process.notificationCenter.delegate, !isTooLate {
            await callCenterDelegate(delegate, response, process, grant)
            if kernel.rules.openingCallsFetchHandlerAgain { await openWithoutCenterDelegate(response, process) }
            return
        }
        if !isTooLate, await answeredByOldMethods(response, process, wasLaunchedForIt: wasLaunchedForIt, grant) {
            return
        }
        traces.note(
            isTooLate
                ? "the response was lost: the notification center had no delegate when the app finished launching"
                : "the response was lost: the notification center has no delegate",
            about: response)
        if let sentence = process.lostDelegate { traces.note(sentence, about: response) }
        if let grant { process.gate.take(grant) }
        await openWithoutCenterDelegate(response, process, mayUseOlderMethod: !wasLaunchedForIt)
    }

    private func callCenterDelegate(
        _ delegate: any UNUserNotificationCenterDelegate, _ response: UNNotificationResponse, _ process: AppProcess,
        _ grant: ProcessGate.Grant?
    ) async {
        let center = process.notificationCenter
        let method = OptionalMethod.Call()
        let handler: CompletionHandler<Void> = background.completionHandler(
            "didReceive", of: process, grant: grant, twice: .centerHandlerTwice,
            report: { [traces] in traces.note($0.sentence, about: response) })
        response.simulatedScene = process.application.connectedScenes.first
        await kernel.call(process, "didReceive response") { [traces] in
            OptionalMethod.$call.withValue(method) {
                delegate.userNotificationCenter(center, didReceive: response) {
                    if !SimulatedDevices.isOnMainThread, !method.isMissing("didReceive") {
                        process.made(.responseHandlerOffMain) { traces.note($0, about: response) }
                    }
                    handler.call(())
                }
            }
        }
        background.follow(handler) { [self] outcome in
            if case .processEnded = outcome, !process.hasEndedForMistake {
                traces.note("the app ended before it called the completion handler of didReceive", about: response)
            }
            guard method.isMissing("didReceive") else { return }
            traces.note("the response was lost: the notification center's delegate has no didReceive", about: response)
            guard let app = apps[process.bundle.bundleID] else { return }
            for near in life.nearMisses(of: app, for: "didReceive:") {
                traces.note(near.sentence, about: response)
            }
        }
    }

    /// Calls the app delegate's `didReceiveRemoteNotification` with the push that the person has tapped, even if the app has
    /// already received this push (``PhoneRules/openingCallsFetchHandlerAgain``).
    ///
    /// - Parameters:
    ///   - response: the person's tap on the push.
    ///   - process: the app's process.
    ///   - mayUseOlderMethod: whether to call `application(_:didReceiveRemoteNotification:)` instead, if the delegate implements
    ///     only this older method (``PhoneRules/openingCallsOlderMethod``). The default is `false`.
    private func openWithoutCenterDelegate(
        _ response: UNNotificationResponse, _ process: AppProcess, mayUseOlderMethod: Bool = false
    ) async {
        guard response.actionIdentifier == UNNotificationDefaultActionIdentifier,
            response.notification.request.trigger is UNPushNotificationTrigger
        else { return }
        let userInfo = UncheckedUserInfo(response.notification.request.content.userInfo)
        let handler: CompletionHandler<UIBackgroundFetchResult> = background.completionHandler(
            "didReceiveRemoteNotification", of: process,
            report: { [traces] in traces.note($0.sentence, about: response) })
        background.follow(handler)
        let method = OptionalMethod.Call(of: process.application.delegate)
        let usesOlderMethod = mayUseOlderMethod && kernel.rules.openingCallsOlderMethod
        await kernel.call(process, "didReceiveRemoteNotification") { [mailbox = kernel.mailbox] in
            let application = process.application
            guard let delegate = application.delegate else { return handler.call(.noData) }
            OptionalMethod.$call.withValue(method) {
                delegate.application(
                    application, didReceiveRemoteNotification: userInfo.value,
                    fetchCompletionHandler: { result in
                        handler.call(result)
                        guard usesOlderMethod, method.isMissing("fetchCompletionHandler") else { return }
                        mailbox.post { process.receiveByOlderMethod(userInfo) }
                    })
            }
        }
    }

    // MARK: the methods from before iOS 10, while the notification center has no delegate

    /// Calls the app delegate's methods from before iOS 10.
    ///
    /// - Returns: whether the app has learnt of the response.
    private func answeredByOldMethods(
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
