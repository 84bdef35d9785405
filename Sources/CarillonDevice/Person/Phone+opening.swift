import CarillonCore
import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// Ways into an app other than its icon and its notifications.
extension Phone {
    /// Follows a link that belongs to the app, for example in Safari.
    ///
    /// It is a URL with one of the app's schemes, or an https link of one of its ``AppBundle/associatedDomains``.
    ///
    /// - Throws: ``PhoneError``: off, locked, or (`unknownLink`) a web page of a domain that is not the app's.
    public func openURL(_ url: URL, in bundleID: String) async throws {
        try await kernel.doing(.openURL(url, app: bundleID)) { () async throws -> Void in
            try await person.openURL(url, in: apps.installed(bundleID))
        }
    }

    /// Returns the quick actions that the app has put in the menu of its icon (`shortcutItems`).
    public func shortcutItems(of bundleID: String) -> [UIApplicationShortcutItem] {
        apps[bundleID].flatMap(life.shortcutItems) ?? []
    }

    /// Chooses an entry of the menu over the app's icon: one of ``shortcutItems(of:)``, or of its Info.plist.
    public func chooseShortcut(_ item: UIApplicationShortcutItem, of bundleID: String) async throws {
        try await kernel.doing(.chooseShortcut(type: item.type, app: bundleID)) { () async throws -> Void in
            try await person.open(apps.installed(bundleID), for: .shortcut(item))
        }
    }

    /// Asks for the app's own settings page: from Settings, or from the menu of one of its notifications.
    ///
    /// - Throws: ``PhoneError`` (`noView`) where the app has not asked for `providesAppNotificationSettings`, since iOS
    ///   shows no such entry then.
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

    /// Follows a link in another app, such as Messages: it opens the app whose universal link or URL scheme it is.
    ///
    /// A web page that belongs to no app opens in Safari.
    ///
    /// - Returns: the bundle ID of the app that it has opened; `nil` for Safari.
    /// - Throws: ``PhoneError``: off, locked, or (`unknownLink`) nothing on the phone opens such a link.
    @discardableResult
    public func followLink(_ url: URL) async throws(PhoneError) -> String? {
        return try await kernel.doing(.followLink(url)) { () async throws(PhoneError) -> String? in
            return try await person.followLink(url)
        }
    }

    /// Continues an activity from another device, as the Handoff icon in the app switcher does.
    ///
    /// - Parameters:
    ///   - activity: the app gets a copy, as of ``offeredActivity(of:)`` of another phone.
    ///   - bundleID: the app that continues.
    ///   - failure: the reason why the activity never arrives, such as a device out of reach; the default is none.
    /// - Throws: ``PhoneError``: off, locked, or (`unknownLink`) the app does not list the type
    ///   (``AppBundle/userActivityTypes``).
    public func handOff(
        _ activity: NSUserActivity, to bundleID: String, failure: (any Error)? = nil
    ) async throws(PhoneError) {
        try await kernel.doing(.handOff(type: activity.activityType, app: bundleID)) {
            () async throws(PhoneError) -> Void in
            try await person.handOff(activity, to: apps.installed(bundleID), failure: failure)
        }
    }

    /// Returns the activity that the app offers to other devices at this moment; `nil` if it offers none.
    ///
    /// The activity's delegate and the app's are asked to fill it in once more.
    public func offeredActivity(of bundleID: String) async -> NSUserActivity? {
        await person.offeredActivity(of: bundleID)
    }
}
