import CarillonCore
import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// What a person does with a notification.
extension Phone {
    /// Opens a notification, from its banner, the lock screen or the list. A locked phone is unlocked by it.
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
    /// - Parameters:
    ///   - actionID: an identifier among ``actions(of:in:)``.
    ///   - text: what the person types; only for a text action, where the default is nothing.
    /// - Throws: ``PhoneError`` (`unknownNotification`, `unknownAction`; `phoneLocked` for an action that needs
    ///   authentication).
    public func choose(
        _ actionID: String, on notificationID: String, in bundleID: String, text: String? = nil
    ) async throws {
        let (app, notification) = try find(notificationID, in: bundleID)
        guard let action = actions(of: notificationID, in: bundleID).first(where: { $0.identifier == actionID }) else {
            let category = notification.request.content.categoryIdentifier
            throw PhoneError(
                .unknownAction,
                "Notification \(notificationID) has no action \(actionID): its category is "
                    + (category.isEmpty ? "empty." : "\(category). Has the app declared it, with this action?"))
        }
        if action.options.contains(.authenticationRequired), isLocked, rules.keeps(.authenticationNeedsUnlock) {
            throw PhoneError(
                .phoneLocked, "Action \(actionID) needs an unlocked phone (rule 13). Call unlock() first.")
        }
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

    /// Clears a notification from the lock screen or the list. The app hears of it only if the notification's category
    /// asks for that (rule 12).
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

    /// Flicks the banner away: it stays in the list, and nobody is told (rule 12).
    public func swipeAwayBanner() { hideBanner() }

    /// The buttons under a notification: those of the declared category that it names (rule 13).
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
        guard isPoweredOn else { throw PhoneError(.phoneOff, "\(name) is off. Call boot() first.") }
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

    /// An action that does not open the app: it gets 30 seconds in the background. It is launched for it even after a
    /// force-quit, since the person asked for it.
    private func deliverInBackground(_ response: UNNotificationResponse, to app: InstalledApp) async {
        var grant: ProcessGate.Grant?
        let process: AppProcess
        let wasRunning = app.process != nil
        if let running = app.process {
            process = running
            grant = running.gate.grant()
            resumed(running)
        } else {
            app.isForceQuit = false
            process = await launch(app, options: nil, isInFront: false) { grant = $0.gate.grant() }
        }
        process.backgroundDeadline = clock.now + .seconds(rules.backgroundWakeSeconds)
        await deliver(response, to: process, wasLaunchedForIt: !wasRunning, grant: grant)
    }

    /// Calls the center's delegate; who waits for its completion handler is a task of the phone's.
    func deliver(
        _ response: UNNotificationResponse, to process: AppProcess, wasLaunchedForIt: Bool,
        grant: ProcessGate.Grant? = nil
    ) async {
        let center = process.notificationCenter
        let isTooLate = wasLaunchedForIt && !process.hadCenterDelegateInTime && rules.keeps(.delegateBeforeLaunchEnds)
        guard let delegate = center.delegate, !isTooLate else {
            if !isTooLate,
                await answeredByOldMethods(response, process, wasLaunchedForIt: wasLaunchedForIt, grant)
            {
                return
            }
            note(
                response,
                isTooLate
                    ? "the response was lost: the notification center had no delegate when the app had finished "
                        + "launching (rule 10)"
                    : "the response was lost: the notification center has no delegate")
            if let sentence = process.lostDelegate { note(response, sentence) }
            if let grant { process.gate.take(grant) }
            await openWithoutCenterDelegate(response, process)
            return
        }
        let answer = PendingAnswer<Void>()
        let method = OptionalMethod.Call()
        response.simulatedScene = process.application.connectedScenes.first
        await call(process) {
            OptionalMethod.$call.withValue(method) {
                delegate.userNotificationCenter(center, didReceive: response) {
                    [keepsSuspension = self.suspendsAtOnce, mailbox = self.mailbox] in
                    let count = answer.give(())
                    if let grant, count == 1, keepsSuspension { process.gate.take(grant) }
                    mailbox.post { phone in
                        if let problem = HandlerProblem(count, of: "didReceive") {
                            phone.note(response, problem.sentence)
                        }
                    }
                }
            }
        }
        waitForResponseHandler(answer, method, response, process, grant)
        if rules.openingCallsFetchHandlerAgain { await openWithoutCenterDelegate(response, process) }
    }

    private func waitForResponseHandler(
        _ answer: PendingAnswer<Void>, _ method: OptionalMethod.Call, _ response: UNNotificationResponse,
        _ process: AppProcess, _ grant: ProcessGate.Grant?
    ) {
        let timer = schedule(afterSeconds: rules.backgroundWakeSeconds) { _ in answer.close() }
        work.begin("didReceive's completion handler in \(process.bundle.bundleID)", on: self) { phone in
            process.onEnd { answer.close() }
            let hasAnswered = await answer.wait() != nil
            timer.cancel()
            if method.isMissing("didReceive") {
                phone.note(response, "the response was lost: the notification center's delegate has no didReceive")
                for near in phone.nearMisses(of: process.bundle.bundleID, for: "didReceive:") {
                    phone.note(response, near.sentence)
                }
            } else if !hasAnswered {
                phone.note(response, "the app did not call didReceive's completion handler in time")
            }
            if let grant { process.gate.take(grant) }
            phone.changed(.lifeCycle(bundleID: process.bundle.bundleID))
        }
    }

    /// Rule 20: an app that opens from a push's alert may get the push through its fetch handler (again).
    private func openWithoutCenterDelegate(_ response: UNNotificationResponse, _ process: AppProcess) async {
        guard response.actionIdentifier == UNNotificationDefaultActionIdentifier,
            response.notification.request.trigger is UNPushNotificationTrigger
        else { return }
        let userInfo = UncheckedUserInfo(response.notification.request.content.userInfo)
        let handler: @Sendable (UIBackgroundFetchResult) -> Void = watchedHandler(
            "the fetch handler", of: process, seconds: rules.backgroundWakeSeconds,
            heard: { phone, problem in
                if let problem { phone.note(response, problem) }
            })
        await call(process) {
            let application = process.application
            guard let delegate = application.delegate else { return handler(.noData) }
            delegate.application(
                application, didReceiveRemoteNotification: userInfo.value, fetchCompletionHandler: handler)
        }
    }

    func note(_ response: UNNotificationResponse, _ sentence: String) {
        let id = response.notification.request.identifier
        guard let entry = log.last(where: { $0.notificationID == id }) else { return }
        log.update(entry.number) { $0.notes.append(sentence) }
        changed(.log(entry.number))
    }
}

/// A payload on its way to the app. Nobody changes it: it was decoded for this one notification.
struct UncheckedUserInfo: @unchecked Sendable {
    let value: [AnyHashable: Any]

    init(_ value: [AnyHashable: Any]) { self.value = value }
}
