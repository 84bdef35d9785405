import CarillonCore
import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// What a person does with a notification.
extension Phone {
    /// Taps a notification, on its banner, on the lock screen or in the list.
    ///
    /// A locked phone is unlocked by it.
    ///
    /// - Throws: ``PhoneError``: off, or the notification is not shown.
    public func tap(_ notificationID: String, in bundleID: String) async throws {
        let (app, notification) = try find(notificationID, in: bundleID)
        collapse()
        await unlockForUse()
        if rules.tapRemovesFromList { take(notification, from: app) } else { hideBanner(of: notificationID) }
        let response = UNNotificationResponse(
            notification: notification, actionIdentifier: UNNotificationDefaultActionIdentifier)
        await bringToFront(app, for: .response(response))
    }

    /// Chooses an action of the notification's category.
    ///
    /// On a locked phone an action that needs authentication waits for ``authenticate(_:)``: see ``authenticationSheet``.
    ///
    /// - Parameters:
    ///   - actionID: the identifier of one of ``actions(of:in:)``.
    ///   - notificationID: the identifier of the notification's request.
    ///   - bundleID: the app whose notification it is.
    ///   - text: what the person types into a text action; the default is nothing.
    /// - Throws: ``PhoneError`` (`unknownNotification`, `unknownAction`).
    public func choose(
        _ actionID: String, on notificationID: String, in bundleID: String, text: String? = nil
    ) async throws {
        let (app, notification) = try find(notificationID, in: bundleID)
        guard let action = actions(of: notificationID, in: bundleID).first(where: { $0.identifier == actionID }) else {
            let category = notification.request.content.categoryIdentifier
            throw PhoneError(
                .unknownAction,
                "Notification \(notificationID) has no action \(actionID): its category is "
                    + (category.isEmpty ? "empty." : "\(category). Has the app set that category, with this action?"))
        }
        if await mustAuthenticate(for: action, on: notificationID, in: bundleID, text: text) { return }
        let isForeground = action.options.contains(.foreground)
        let response = response(to: notification, action: action, text: text)
        await askContentExtension(response) { phone in
            if isForeground { await phone.unlockForUse() }
            phone.take(notification, from: app)
            if isForeground {
                await phone.bringToFront(app, for: .response(response))
            } else {
                await phone.deliverInBackground(response, to: app)
            }
        }
    }

    /// Clears a notification from the lock screen or the list.
    ///
    /// The app is told only if the notification's category has `customDismissAction` (rule 12).
    ///
    /// - Throws: ``PhoneError``: off, or the notification is not shown.
    public func dismiss(_ notificationID: String, in bundleID: String) async throws {
        let (app, notification) = try find(notificationID, in: bundleID)
        collapse()
        take(notification, from: app)
        let category = app.categories.first { $0.identifier == notification.request.content.categoryIdentifier }
        let isAskedFor = category?.options.contains(.customDismissAction) ?? false
        guard isAskedFor || !rules.keeps(.dismissalNeedsCategory) else { return }
        await deliverInBackground(
            UNNotificationResponse(
                notification: notification, actionIdentifier: UNNotificationDismissActionIdentifier),
            to: app)
    }

    /// Swipes the banner away: the notification stays in the list, and the app is not told (rule 12).
    public func swipeAwayBanner() { hideBanner() }

    /// The actions of a notification: those of the category that it names, if the app has set one of that name (rule
    /// 13).
    public func actions(of notificationID: String, in bundleID: String) -> [UNNotificationAction] {
        guard let app = apps[bundleID], let notification = try? find(notificationID, in: bundleID).1 else { return [] }
        if let expansion, expansion.app === app, expansion.notification === notification,
            let actions = expansion.content?.notificationActions
        {
            return actions
        }
        let name = notification.request.content.categoryIdentifier
        return app.categories.first { $0.identifier == name }?.actions ?? []
    }

    // MARK: inside

    /// In the list, or in the banner that never made it there.
    func find(
        _ notificationID: String, in bundleID: String
    ) throws(PhoneError) -> (InstalledApp, UNNotification) {
        let app = try installed(bundleID)
        try checkPoweredOn()
        if let shown = app.list.delivered.first(where: { $0.identifier == notificationID }) {
            return (app, shown.notification)
        }
        if let banner, banner.bundleID == bundleID, banner.notification.request.identifier == notificationID {
            return (app, banner.notification)
        }
        let shown = app.list.delivered.map(\.identifier).joined(separator: ", ")
        throw PhoneError(
            .unknownNotification,
            "\(bundleID) shows no notification \(notificationID). In the list: \(shown.isEmpty ? "none" : shown).")
    }

    func take(_ notification: UNNotification, from app: InstalledApp) {
        removeDelivered([notification.request.identifier], of: app.bundle.bundleID)
    }

    private func unlockForUse() async {
        guard isLocked else { return }
        // What was in front before is not shown on the way to somewhere else.
        frontApp = nil
        isInSettings = false
        await unlock()
    }

    private func response(
        to notification: UNNotification, action: UNNotificationAction, text: String?
    ) -> UNNotificationResponse {
        guard action is UNTextInputNotificationAction, rules.keeps(.textActionCarriesText) else {
            return UNNotificationResponse(notification: notification, actionIdentifier: action.identifier)
        }
        return UNTextInputNotificationResponse(
            notification: notification, actionIdentifier: action.identifier, userText: text ?? "")
    }

    /// Calls the app in the background for an action that does not open it.
    ///
    /// It is launched for it even after a force-quit, since the person asked for it.
    private func deliverInBackground(_ response: UNNotificationResponse, to app: InstalledApp) async {
        let wasRunning = app.process != nil
        if !wasRunning { app.isForceQuit = false }
        let (process, grant) = await giveBackgroundTime(to: app)
        await deliver(response, to: process, wasLaunchedForIt: !wasRunning, grant: grant)
    }

    /// Calls the center's delegate, if it was set in time; else what the app has instead.
    func deliver(
        _ response: UNNotificationResponse, to process: AppProcess, wasLaunchedForIt: Bool,
        grant: ProcessGate.Grant? = nil
    ) async {
        let isTooLate = wasLaunchedForIt && !process.hadCenterDelegateInTime && rules.keeps(.delegateBeforeLaunchEnds)
        if let delegate = process.notificationCenter.delegate, !isTooLate {
            await callCenterDelegate(delegate, response, process, grant)
            if rules.openingCallsFetchHandlerAgain { await openWithoutCenterDelegate(response, process) }
            return
        }
        if !isTooLate, await answeredByOldMethods(response, process, wasLaunchedForIt: wasLaunchedForIt, grant) {
            return
        }
        note(
            isTooLate
                ? "the response was lost: the notification center had no delegate when the app finished launching"
                : "the response was lost: the notification center has no delegate",
            about: response)
        if let sentence = process.lostDelegate { note(sentence, about: response) }
        if let grant { process.gate.take(grant) }
        await openWithoutCenterDelegate(response, process)
    }

    private func callCenterDelegate(
        _ delegate: any UNUserNotificationCenterDelegate, _ response: UNNotificationResponse, _ process: AppProcess,
        _ grant: ProcessGate.Grant?
    ) async {
        let center = process.notificationCenter
        let method = OptionalMethod.Call()
        let handler: CompletionHandler<Void> = completionHandler(
            "didReceive", of: process, grant: grant,
            report: { phone, problem in phone.note(problem.sentence, about: response) })
        response.simulatedScene = process.application.connectedScenes.first
        await call(process) {
            OptionalMethod.$call.withValue(method) {
                delegate.userNotificationCenter(center, didReceive: response) { handler.call(()) }
            }
        }
        follow(handler) { phone, outcome in
            if case .processEnded = outcome {
                phone.note("the app ended before it called the completion handler of didReceive", about: response)
            }
            guard method.isMissing("didReceive") else { return }
            phone.note("the response was lost: the notification center's delegate has no didReceive", about: response)
            for near in phone.nearMisses(of: process.bundle.bundleID, for: "didReceive:") {
                phone.note(near.sentence, about: response)
            }
        }
    }

    /// Rule 20: an app that opens from a push's alert may get the push through its fetch handler (again).
    private func openWithoutCenterDelegate(_ response: UNNotificationResponse, _ process: AppProcess) async {
        guard response.actionIdentifier == UNNotificationDefaultActionIdentifier,
            response.notification.request.trigger is UNPushNotificationTrigger
        else { return }
        let userInfo = UncheckedUserInfo(response.notification.request.content.userInfo)
        let handler: CompletionHandler<UIBackgroundFetchResult> = completionHandler(
            "didReceiveRemoteNotification", of: process,
            report: { phone, problem in phone.note(problem.sentence, about: response) })
        follow(handler)
        await call(process) {
            let application = process.application
            guard let delegate = application.delegate else { return handler.call(.noData) }
            delegate.application(
                application, didReceiveRemoteNotification: userInfo.value, fetchCompletionHandler: handler.call)
        }
    }
}
