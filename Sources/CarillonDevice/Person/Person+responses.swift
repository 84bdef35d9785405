import CarillonCore
import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// The actions of a person on a notification.
extension Person {
    func tap(_ notificationID: String, in bundleID: String) async throws(PhoneError) {
        let (app, notification) = try find(notificationID, in: bundleID)
        screen.collapse()
        await unlockForUse()
        if kernel.rules.tapRemovesFromList {
            take(notification, from: app)
        } else {
            screen.hideBanner(of: notificationID)
        }
        let response = UNNotificationResponse(
            notification: notification, actionIdentifier: UNNotificationDefaultActionIdentifier)
        await bringToFront(app, for: .response(response))
    }

    func choose(_ actionID: String, on notificationID: String, in bundleID: String, text: String?) async throws {
        let (app, notification) = try find(notificationID, in: bundleID)
        guard let action = actions(of: notification, app).first(where: { $0.identifier == actionID }) else {
            let category = notification.request.content.categoryIdentifier
            throw PhoneError(
                .unknownAction,
                "Notification \(notificationID) has no action \(actionID): its category is "
                    + (category.isEmpty ? "empty." : "\(category). Has the app set that category, with this action?"))
        }
        if await mustAuthenticate(for: action, on: notificationID, in: bundleID, text: text) { return }
        let isForeground = action.options.contains(.foreground)
        let response = response(to: notification, action: action, text: text)
        await askContentExtension(response) { [self] in
            if isForeground { await unlockForUse() }
            take(notification, from: app)
            if isForeground {
                await bringToFront(app, for: .response(response))
            } else {
                await deliverInBackground(response, to: app)
            }
        }
    }

    func dismiss(_ notificationID: String, in bundleID: String) async throws(PhoneError) {
        let (app, notification) = try find(notificationID, in: bundleID)
        screen.collapse()
        take(notification, from: app)
        let category = notifications.category(of: notification.request.content, in: app)
        let isAskedFor = category?.options.contains(.customDismissAction) ?? false
        guard isAskedFor || !kernel.rules.keeps(.dismissalNeedsCategory) else { return }
        await deliverInBackground(
            UNNotificationResponse(
                notification: notification, actionIdentifier: UNNotificationDismissActionIdentifier),
            to: app)
    }

    /// Returns the actions under a notification (rule 13), or the ones that its content extension has set.
    func actions(of notification: UNNotification, _ app: InstalledApp) -> [UNNotificationAction] {
        if let expansion = screen.expansion, expansion.app === app, expansion.notification === notification,
            let actions = expansion.content?.notificationActions
        {
            return actions
        }
        return notifications.category(of: notification.request.content, in: app)?.actions ?? []
    }

    func find(
        _ notificationID: String, in bundleID: String
    ) throws(PhoneError) -> (InstalledApp, UNNotification) {
        let app = try apps.installed(bundleID)
        return (app, try notifications.find(notificationID, of: app))
    }

    func take(_ notification: UNNotification, from app: InstalledApp) {
        notifications.removeDelivered([notification.request.identifier], of: app.bundle.bundleID)
    }

    private func response(
        to notification: UNNotification, action: UNNotificationAction, text: String?
    ) -> UNNotificationResponse {
        guard action is UNTextInputNotificationAction, kernel.rules.keeps(.textActionCarriesText) else {
            return UNNotificationResponse(notification: notification, actionIdentifier: action.identifier)
        }
        return UNTextInputNotificationResponse(
            notification: notification, actionIdentifier: action.identifier, userText: text ?? "")
    }

    /// Calls the app in the background for an action that does not open it.
    ///
    /// It is launched for it even after a force-quit, since the person asked for it.
    private func deliverInBackground(_ response: UNNotificationResponse, to app: InstalledApp) async {
        let wasRunning = life.process(of: app) != nil
        if !wasRunning { life.wasAskedFor(app) }
        let (process, grant) = await background.giveBackgroundTime(to: app)
        await deliver(response, to: process, wasLaunchedForIt: !wasRunning, grant: grant)
    }

    /// Calls the center's delegate if it was set in time, else the app delegate's methods.
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
        await openWithoutCenterDelegate(response, process)
    }

    private func callCenterDelegate(
        _ delegate: any UNUserNotificationCenterDelegate, _ response: UNNotificationResponse, _ process: AppProcess,
        _ grant: ProcessGate.Grant?
    ) async {
        let center = process.notificationCenter
        let method = OptionalMethod.Call()
        let handler: CompletionHandler<Void> = background.completionHandler(
            "didReceive", of: process, grant: grant,
            report: { [traces] in traces.note($0.sentence, about: response) })
        response.simulatedScene = process.application.connectedScenes.first
        await kernel.call(process, "didReceive response") {
            OptionalMethod.$call.withValue(method) {
                delegate.userNotificationCenter(center, didReceive: response) { handler.call(()) }
            }
        }
        background.follow(handler) { [self] outcome in
            if case .processEnded = outcome {
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

    /// Delivers a push that opens its app to the fetch handler, possibly once more (rule 20).
    private func openWithoutCenterDelegate(_ response: UNNotificationResponse, _ process: AppProcess) async {
        guard response.actionIdentifier == UNNotificationDefaultActionIdentifier,
            response.notification.request.trigger is UNPushNotificationTrigger
        else { return }
        let userInfo = UncheckedUserInfo(response.notification.request.content.userInfo)
        let handler: CompletionHandler<UIBackgroundFetchResult> = background.completionHandler(
            "didReceiveRemoteNotification", of: process,
            report: { [traces] in traces.note($0.sentence, about: response) })
        background.follow(handler)
        await kernel.call(process, "didReceiveRemoteNotification") {
            let application = process.application
            guard let delegate = application.delegate else { return handler.call(.noData) }
            delegate.application(
                application, didReceiveRemoteNotification: userInfo.value, fetchCompletionHandler: handler.call)
        }
    }
}
