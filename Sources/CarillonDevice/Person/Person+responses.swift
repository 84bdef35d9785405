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

    func clearAll(of bundleID: String) throws(PhoneError) {
        try device.checkPoweredOn()
        let app = try apps.installed(bundleID)
        screen.collapse()
        notifications.removeDelivered(nil, of: app.bundle.bundleID)
    }

    /// Returns the actions that the notification's content extension has set, or else the actions of the notification's category.
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
    /// The app is launched even after a force-quit, because the person has chosen its action.
    private func deliverInBackground(_ response: UNNotificationResponse, to app: InstalledApp) async {
        let wasRunning = life.process(of: app) != nil
        if !wasRunning { life.wasAskedFor(app) }
        let (process, grant) = await background.giveBackgroundTime(to: app)
        await delivery.deliver(response, to: process, wasLaunchedForIt: !wasRunning, grant: grant)
    }
}
