import CarillonCore
import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// The Settings app.
extension Phone {
    /// Changes switches on the app's page in Settings (rule 4); they count from the next notification on.
    ///
    /// - Throws: ``PhoneError`` for an app that is not installed.
    public func changeSettings(
        of bundleID: String, _ edit: (inout NotificationSwitches) -> Void
    ) throws(PhoneError) {
        var switches = apps[bundleID].map(notifications.permission)?.switches ?? NotificationSwitches()
        edit(&switches)
        try kernel.doingAtOnce(.changeSettings(switches, app: bundleID)) { () throws(PhoneError) -> Void in
            notifications.changePermission(of: try apps.installed(bundleID)) { $0.change { $0 = switches } }
        }
    }

    /// Returns the app's page in Settings → Notifications.
    ///
    /// - Throws: ``PhoneError`` for an app that is not installed.
    public func settingsPage(of bundleID: String) throws(PhoneError) -> NotificationSettingsPage {
        let app = try apps.installed(bundleID)
        return notifications.permission(of: app).page(entitlements: app.bundle.entitlements)
    }

    /// Turns a switch on that page on or off; it counts from the next notification on.
    ///
    /// - Throws: ``PhoneError`` for an app that is not installed.
    public func set(_ item: NotificationSwitch, to isOn: Bool, for bundleID: String) throws(PhoneError) {
        try kernel.doingAtOnce(.set(item, isOn, app: bundleID)) { () throws(PhoneError) -> Void in
            notifications.changePermission(of: try apps.installed(bundleID)) { $0.set(item, to: isOn) }
        }
    }

    /// Opens the Settings app: the app that was in front goes to the background.
    ///
    /// - Throws: ``PhoneError``: off or locked.
    public func openSettings() async throws(PhoneError) {
        try await kernel.doing(.openSettings) { () async throws(PhoneError) -> Void in
            try await person.openSettings()
        }
    }

    /// Whether Background App Refresh is on for the app; see ``setBackgroundRefresh(_:for:)``.
    ///
    /// - Throws: ``PhoneError`` for an app that is not installed.
    public func isBackgroundRefreshOn(for bundleID: String) throws(PhoneError) -> Bool {
        device.settings(of: try apps.installed(bundleID)).isBackgroundRefreshOn
    }

    /// Sets Settings → General → Background App Refresh for the app; without it silent pushes do not wake it (rule 35).
    ///
    /// - Throws: ``PhoneError`` for an app that is not installed.
    public func setBackgroundRefresh(_ isOn: Bool, for bundleID: String) throws(PhoneError) {
        try kernel.doingAtOnce(.setBackgroundRefresh(isOn, app: bundleID)) { () throws(PhoneError) -> Void in
            device.changeSettings(of: try apps.installed(bundleID)) { $0.isBackgroundRefreshOn = isOn }
            life.announce(UIApplication.backgroundRefreshStatusDidChangeNotification)
            kernel.changed(.lifeCycle(bundleID: bundleID))
        }
    }

    /// Sets Settings → Notifications → the app → Allow Notifications, also for an app that never asked.
    ///
    /// - Throws: ``PhoneError`` for an app that is not installed.
    public func setNotificationsAllowed(_ isAllowed: Bool, for bundleID: String) throws(PhoneError) {
        try kernel.doingAtOnce(.setNotificationsAllowed(isAllowed, app: bundleID)) { () throws(PhoneError) -> Void in
            notifications.changePermission(of: try apps.installed(bundleID)) { $0.setAllowed(isAllowed) }
        }
    }

    /// Sets Settings → Privacy → Location Services for the app: while using the app, or never.
    ///
    /// The default is never.
    ///
    /// - Throws: ``PhoneError`` for an app that is not installed.
    public func setLocationAllowed(_ isAllowed: Bool, for bundleID: String) throws(PhoneError) {
        try kernel.doingAtOnce(.setLocationAllowed(isAllowed, app: bundleID)) { () throws(PhoneError) -> Void in
            device.changeSettings(of: try apps.installed(bundleID)) { $0.isLocationAllowed = isAllowed }
        }
    }

    /// Sets or removes the passcode, in Settings → Face ID & Passcode.
    ///
    /// - Throws: ``PhoneError`` (`phoneLocked`, `phoneOff`).
    public func setPasscode(_ isOn: Bool) throws(PhoneError) {
        try kernel.doingAtOnce(.setPasscode(isOn)) { () throws(PhoneError) -> Void in
            try device.checkUsable()
            device.protection.hasPasscode = isOn
            kernel.changed(.screen)
        }
    }
}
