import CarillonCore
import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// The person's actions.
///
/// More actions are in ``Phone/Screen``, ``Phone/Settings`` and ``Phone/Calls``.
extension Phone {
    // MARK: the phone and its apps

    /// Taps the app's icon.
    ///
    /// - Throws: ``PhoneError`` if the phone is off or locked, or the app is not installed.
    public func openApp(_ bundleID: String) async throws {
        try await kernel.doing(.openApp(bundleID)) { () async throws -> Void in
            try await person.open(apps.installed(bundleID))
        }
    }

    /// Goes to the home screen; the app in front goes to the background.
    public func pressHome() async {
        await kernel.doing(.pressHome) { () async -> Void in
            await person.pressHome()
        }
    }

    /// Presses the side button: the app in front leaves the screen, and new notifications go to the lock screen.
    ///
    /// After 10 s protected files can no longer be read (``PhoneRule/lockClosesProtectedFiles``).
    public func lock() async {
        await kernel.doing(.lock) { () async -> Void in
            await person.lock()
        }
    }

    /// Unlocks the phone; the app that was in front is in front again.
    public func unlock() async {
        await kernel.doing(.unlock) { () async -> Void in
            await person.unlock()
        }
    }

    /// Swipes the app out of the app switcher: the app ends, and no silent push launches it until the person opens it.
    ///
    /// A restart of the phone also lets silent pushes launch the app again (``PhoneRule/forceQuitStopsWakes``). A silent push
    /// that the phone holds back for the app is lost. If the app has a scene, the scene is discarded, and the app is told at its
    /// next launch.
    ///
    /// - Throws: ``PhoneError`` for an app that is not installed.
    public func forceQuit(_ bundleID: String) async throws {
        try await kernel.doing(.forceQuit(bundleID)) { () async throws -> Void in
            await person.forceQuit(try apps.installed(bundleID))
        }
    }

    /// Answers the permission sheet on the screen.
    ///
    /// - Throws: ``PhoneError`` (`noPermissionSheet`) if no permission sheet is on the screen.
    public func answerPermission(allow: Bool) async throws {
        try await kernel.doing(.answerPermission(allow)) { () async throws -> Void in
            try await notifications.answerPermission(allow: allow)
        }
    }

    // MARK: notifications

    /// Taps a notification in its banner, on the lock screen or in the notification center.
    ///
    /// The tap unlocks a locked phone.
    ///
    /// - Throws: ``PhoneError`` if the phone is off, or the notification is not shown.
    public func tap(_ notificationID: String, in bundleID: String) async throws {
        try await kernel.doing(.tap(notificationID, app: bundleID)) { () async throws -> Void in
            try await person.tap(notificationID, in: bundleID)
        }
    }

    /// Chooses an action of the notification's category.
    ///
    /// On a locked phone an action that needs authentication waits for ``authenticate(_:)``: see ``authenticationSheet``.
    ///
    /// - Parameters:
    ///   - actionID: the identifier of one of ``actions(of:in:)``.
    ///   - notificationID: the identifier of the notification's request.
    ///   - bundleID: the notification's app.
    ///   - text: the text that the person types into a text action; the default is none.
    /// - Throws: ``PhoneError`` if no such notification is shown (`unknownNotification`) or it has no such action
    ///   (`unknownAction`).
    public func choose(
        _ actionID: String, on notificationID: String, in bundleID: String, text: String? = nil
    ) async throws {
        try await kernel.doing(.choose(actionID, notification: notificationID, app: bundleID, text: text)) {
            () async throws -> Void in
            try await person.choose(actionID, on: notificationID, in: bundleID, text: text)
        }
    }

    /// Clears a notification from the lock screen or the notification center.
    ///
    /// The app is told only if the notification's category has `customDismissAction` (``PhoneRule/dismissalNeedsCategory``).
    ///
    /// - Throws: ``PhoneError`` if the phone is off, or the notification is not shown.
    public func dismiss(_ notificationID: String, in bundleID: String) async throws {
        try await kernel.doing(.dismiss(notificationID, app: bundleID)) { () async throws -> Void in
            try await person.dismiss(notificationID, in: bundleID)
        }
    }

    /// Clears all notifications of an app at once, as *Clear All* does.
    ///
    /// The app is not told, even if a category has `customDismissAction`, as [developers have
    /// reported](https://github.com/invertase/notifee/issues/577).
    ///
    /// - Throws: ``PhoneError`` if the phone is off, or the app is not installed.
    public func clearAll(of bundleID: String) throws(PhoneError) {
        try kernel.doingAtOnce(.clearAll(app: bundleID)) { () throws(PhoneError) -> Void in
            try person.clearAll(of: bundleID)
        }
    }

    /// Swipes the banner away: the notification stays in the notification center, and the app is not told.
    public func swipeAwayBanner() {
        kernel.doingAtOnce(.swipeAwayBanner) { () -> Void in
            screenState.hideBanner()
        }
    }

    /// Returns the actions of a notification's category; empty if the app has not declared that category.
    public func actions(of notificationID: String, in bundleID: String) -> [UNNotificationAction] {
        guard let app = apps[bundleID], let notification = try? notifications.find(notificationID, of: app) else {
            return []
        }
        return person.actions(of: notification, app)
    }

    /// Answers the sheet that asks for Face ID or Touch ID.
    ///
    /// If the owner is recognised, the phone is unlocked and the waiting action is carried out.
    ///
    /// - Parameter isOwner: `false` cancels: the phone stays locked, and the notification is unchanged.
    /// - Throws: ``PhoneError`` (`noAuthenticationSheet`) if no such sheet is on the screen.
    public func authenticate(_ isOwner: Bool) async throws {
        try await kernel.doing(.authenticate(isOwner)) { () async throws -> Void in
            try await person.authenticate(isOwner)
        }
    }

    // MARK: other ways into an app

    /// Follows a link that belongs to the app, for example in Safari.
    ///
    /// The link is a URL with one of the app's schemes, or an https link to one of its ``AppBundle/associatedDomains``.
    ///
    /// - Throws: ``PhoneError`` if the phone is off or locked, or (`unknownLink`) if the link does not belong to the app.
    public func openURL(_ url: URL, in bundleID: String) async throws {
        try await kernel.doing(.openURL(url, app: bundleID)) { () async throws -> Void in
            try await person.openURL(url, in: apps.installed(bundleID))
        }
    }

    /// Returns the quick actions that the app has put in the menu of its icon (`shortcutItems`).
    public func shortcutItems(of bundleID: String) -> [UIApplicationShortcutItem] {
        apps[bundleID].flatMap(life.shortcutItems) ?? []
    }

    /// Chooses an entry in the menu of the app's icon: one of ``shortcutItems(of:)``, or one from the app's Info.plist.
    public func chooseShortcut(_ item: UIApplicationShortcutItem, of bundleID: String) async throws {
        try await kernel.doing(.chooseShortcut(type: item.type, app: bundleID)) { () async throws -> Void in
            try await person.open(apps.installed(bundleID), for: .shortcut(item))
        }
    }

    /// Opens the app's own settings page, from Settings or from the menu of one of its notifications.
    ///
    /// - Throws: ``PhoneError`` (`noView`) if the app has not asked for `providesAppNotificationSettings`; iOS then shows no
    ///   entry for this page.
    public func openNotificationSettings(of bundleID: String, from notificationID: String? = nil) async throws {
        try await kernel.doing(.openNotificationSettings(bundleID, notification: notificationID)) {
            () async throws -> Void in
            guard notifications.settingValues(of: bundleID).providesAppNotificationSettings else {
                throw PhoneError(
                    .noView,
                    "\(bundleID) has no notification settings of its own: it must be allowed to send notifications, with "
                        + "the option providesAppNotificationSettings.")
            }
            let app = try apps.installed(bundleID)
            let notification = try notificationID.map { try notifications.find($0, of: app) }
            try await person.open(app, for: .settings(notification))
        }
    }

    /// Follows a link that is in none of the installed apps, for example in Messages.
    ///
    /// The link opens the app that declares the link's domain or scheme. A web page that belongs to no app opens in Safari.
    ///
    /// - Returns: the bundle ID of the opened app; `nil` for Safari.
    /// - Throws: ``PhoneError`` if the phone is off or locked, or (`unknownLink`) if nothing on the phone opens such a link.
    @discardableResult
    public func followLink(_ url: URL) async throws(PhoneError) -> String? {
        return try await kernel.doing(.followLink(url)) { () async throws(PhoneError) -> String? in
            return try await person.followLink(url)
        }
    }

    /// Continues an activity from another device, as the Handoff icon in the app switcher does.
    ///
    /// - Parameters:
    ///   - activity: the activity, for example another phone's ``offeredActivity(of:)``; the app gets a copy.
    ///   - bundleID: the app that continues the activity.
    ///   - failure: the reason why the activity does not arrive, such as an unreachable device; the default is none.
    /// - Throws: ``PhoneError`` if the phone is off or locked, or (`unknownLink`) if the app does not list the type
    ///   (``AppBundle/userActivityTypes``).
    public func handOff(
        _ activity: NSUserActivity, to bundleID: String, failure: (any Error)? = nil
    ) async throws(PhoneError) {
        try await kernel.doing(.handOff(type: activity.activityType, app: bundleID)) {
            () async throws(PhoneError) -> Void in
            try await person.handOff(activity, to: apps.installed(bundleID), failure: failure)
        }
    }

    /// Returns the activity that the app currently offers to other devices; `nil` if it offers none.
    ///
    /// First, the activity's delegate and the app's delegate get the opportunity to update the activity.
    public func offeredActivity(of bundleID: String) async -> NSUserActivity? {
        await person.offeredActivity(of: bundleID)
    }
}
