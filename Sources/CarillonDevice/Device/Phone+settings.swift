import CarillonCore
import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

extension Phone {
    /// The phone's settings, with methods that change them as the person does.
    public var settings: Settings { Settings(phone: self) }

    /// The settings of a phone, and of its apps.
    @MainActor public struct Settings {
        let phone: Phone
    }
}

extension Phone.Settings {
    // MARK: state

    /// Whether the Settings app fills the screen; see ``open()``.
    public var isOpen: Bool { phone.screenState.isInSettings }
    /// Whether a passcode is set; without a passcode, protected files stay readable on a locked phone.
    public var hasPasscode: Bool { phone.device.protection.hasPasscode }
    /// Whether a Focus is on; a Focus holds back banners and sounds, see ``setFocus(_:)``.
    public var isFocusOn: Bool { phone.device.settings.isFocusOn }
    /// The people whom a Focus allows, each by a handle (such as a telephone number) or by an identifier; see
    /// ``allowInFocus(_:)``.
    public var peopleAllowedInFocus: Set<String> { phone.device.settings.peopleAllowedInFocus }
    /// Whether the ring switch is set to silent; see ``setMuted(_:)``.
    public var isMuted: Bool { phone.device.settings.isMuted }
    /// Whether Low Power Mode is on; see ``setLowPowerMode(_:)``.
    public var isLowPowerModeOn: Bool { phone.device.settings.isLowPowerModeOn }
    /// Whether VoiceOver is on: `UIAccessibility.isVoiceOverRunning` in every app.
    public var isVoiceOverRunning: Bool { phone.device.settings.isVoiceOverRunning }
    /// Whether Reduce Motion is on: `UIAccessibility.isReduceMotionEnabled` in every app.
    public var isReduceMotionOn: Bool { phone.device.settings.isReduceMotionOn }
    /// Whether Dark Mode is on, so that apps are drawn dark; see ``setDarkMode(_:)``.
    public var isDarkModeOn: Bool { phone.device.settings.isDarkModeOn }
    /// The language and region, for time and date formats and the layout direction; see ``setLocale(_:)``.
    public var locale: Locale { phone.device.settings.locale }
    /// The hours of the scheduled summary, as full hours of the day in ``Phone/timeZone``.
    ///
    /// The default is 8 and 18.
    public var summaryHours: [Int] {
        get { phone.device.settings.summaryHours }
        nonmutating set { phone.device.settings.summaryHours = newValue }
    }

    // MARK: an app's page

    /// Changes switches on the app's page in Settings → Notifications.
    ///
    /// The changes apply to later notifications, unless the phone ignores the rule ``PhoneRule/settingsCount``.
    ///
    /// - Throws: ``PhoneError`` for an app that is not installed.
    public func change(
        of bundleID: String, _ edit: (inout NotificationSwitches) -> Void
    ) throws(PhoneError) {
        var switches = phone.apps[bundleID].map(phone.notifications.permission)?.switches ?? NotificationSwitches()
        edit(&switches)
        try phone.kernel.doingAtOnce(.changeSettings(switches, app: bundleID)) { () throws(PhoneError) -> Void in
            phone.notifications.changePermission(of: try phone.apps.installed(bundleID)) { $0.change { $0 = switches } }
        }
    }

    /// Returns the app's page in Settings → Notifications.
    ///
    /// - Throws: ``PhoneError`` for an app that is not installed.
    public func page(of bundleID: String) throws(PhoneError) -> NotificationSettingsPage {
        let app = try phone.apps.installed(bundleID)
        return phone.notifications.permission(of: app).page(entitlements: app.bundle.entitlements)
    }

    /// Sets one switch on the app's page in Settings → Notifications.
    ///
    /// The change applies to later notifications.
    ///
    /// - Throws: ``PhoneError`` for an app that is not installed.
    public func set(_ item: NotificationSwitch, to isOn: Bool, for bundleID: String) throws(PhoneError) {
        try phone.kernel.doingAtOnce(.set(item, isOn, app: bundleID)) { () throws(PhoneError) -> Void in
            phone.notifications.changePermission(of: try phone.apps.installed(bundleID)) { $0.set(item, to: isOn) }
        }
    }

    /// Returns whether Background App Refresh is on for the app; see ``setBackgroundRefresh(_:for:)``.
    ///
    /// - Throws: ``PhoneError`` for an app that is not installed.
    public func isBackgroundRefreshOn(for bundleID: String) throws(PhoneError) -> Bool {
        phone.device.settings(of: try phone.apps.installed(bundleID)).isBackgroundRefreshOn
    }

    /// Sets Settings → General → Background App Refresh for the app; if it is off, silent pushes do not wake the app.
    ///
    /// - Throws: ``PhoneError`` for an app that is not installed.
    public func setBackgroundRefresh(_ isOn: Bool, for bundleID: String) throws(PhoneError) {
        try phone.kernel.doingAtOnce(.setBackgroundRefresh(isOn, app: bundleID)) { () throws(PhoneError) -> Void in
            phone.device.changeSettings(of: try phone.apps.installed(bundleID)) { $0.isBackgroundRefreshOn = isOn }
            phone.life.announce(UIApplication.backgroundRefreshStatusDidChangeNotification)
            phone.kernel.changed(.lifeCycle(bundleID: bundleID))
        }
    }

    /// Sets Settings → Notifications → the app → Allow Notifications, even if the app has never requested permission.
    ///
    /// - Throws: ``PhoneError`` for an app that is not installed.
    public func setNotificationsAllowed(_ isAllowed: Bool, for bundleID: String) throws(PhoneError) {
        try phone.kernel.doingAtOnce(.setNotificationsAllowed(isAllowed, app: bundleID)) {
            () throws(PhoneError) -> Void in
            phone.notifications.changePermission(of: try phone.apps.installed(bundleID)) { $0.setAllowed(isAllowed) }
        }
    }

    /// Sets whether the app may use the location while the app is in use, in Settings → Privacy → Location Services.
    ///
    /// The default is never.
    ///
    /// - Throws: ``PhoneError`` for an app that is not installed.
    public func setLocationAllowed(_ isAllowed: Bool, for bundleID: String) throws(PhoneError) {
        try phone.kernel.doingAtOnce(.setLocationAllowed(isAllowed, app: bundleID)) { () throws(PhoneError) -> Void in
            phone.device.changeSettings(of: try phone.apps.installed(bundleID)) { $0.isLocationAllowed = isAllowed }
        }
    }

    // MARK: the phone's own pages and switches

    /// Opens the Settings app; the app in front goes to the background.
    ///
    /// - Throws: ``PhoneError`` if the phone is off or locked.
    public func open() async throws(PhoneError) {
        try await phone.kernel.doing(.openSettings) { () async throws(PhoneError) -> Void in
            try await phone.person.openSettings()
        }
    }

    /// Sets or removes the passcode, in Settings → Face ID & Passcode.
    ///
    /// - Throws: ``PhoneError`` if the phone is locked (`phoneLocked`) or off (`phoneOff`).
    public func setPasscode(_ isOn: Bool) throws(PhoneError) {
        try phone.kernel.doingAtOnce(.setPasscode(isOn)) { () throws(PhoneError) -> Void in
            try phone.device.checkUsable()
            phone.device.protection.hasPasscode = isOn
            phone.kernel.changed(.screen)
        }
    }

    /// Turns a Focus on or off: while a Focus is on, only notifications that break through it show a banner or make a sound.
    public func setFocus(_ isOn: Bool) {
        phone.kernel.doingAtOnce(.setFocus(isOn)) { () -> Void in
            phone.device.settings.isFocusOn = isOn
            phone.kernel.changed(.screen)
        }
    }

    /// Adds a person whom a Focus allows, in Settings → Focus → People.
    ///
    /// - Parameter identifier: the value of the `INPerson`'s handle, such as a telephone number, or the person's
    ///   `contactIdentifier` or `customIdentifier`.
    public func allowInFocus(_ identifier: String) {
        phone.kernel.doingAtOnce(.allowInFocus(identifier)) { () -> Void in
            phone.device.settings.peopleAllowedInFocus.insert(identifier)
        }
    }

    /// Sets the ring switch: a muted phone plays only the sounds of critical alerts.
    public func setMuted(_ isOn: Bool) {
        phone.kernel.doingAtOnce(.setMuted(isOn)) { () -> Void in
            phone.device.settings.isMuted = isOn
            phone.kernel.changed(.screen)
        }
    }

    /// Turns VoiceOver on or off, and tells running apps.
    public func setVoiceOver(_ isOn: Bool) {
        phone.kernel.doingAtOnce(.setVoiceOver(isOn)) { () -> Void in
            phone.device.settings.isVoiceOverRunning = isOn
            phone.life.announce(UIAccessibility.voiceOverStatusDidChangeNotification)
            phone.kernel.changed(.screen)
        }
    }

    /// Turns Reduce Motion on or off, and tells running apps.
    public func setReduceMotion(_ isOn: Bool) {
        phone.kernel.doingAtOnce(.setReduceMotion(isOn)) { () -> Void in
            phone.device.settings.isReduceMotionOn = isOn
            phone.life.announce(UIAccessibility.reduceMotionStatusDidChangeNotification)
            phone.kernel.changed(.screen)
        }
    }

    /// Turns Low Power Mode on or off, and tells running apps.
    ///
    /// When the mode is turned off, the phone delivers the silent pushes that it has held back.
    public func setLowPowerMode(_ isOn: Bool) {
        phone.kernel.doingAtOnce(.setLowPowerMode(isOn)) { () -> Void in
            phone.device.settings.isLowPowerModeOn = isOn
            phone.life.announce(.NSProcessInfoPowerStateDidChange)
            phone.kernel.changed(.screen)
            if !isOn { phone.pushes.releaseHeldPushes() }
        }
    }

    /// Sets Settings → Display & Brightness to light or dark.
    ///
    /// The phone tells the app in front immediately, and other apps when they come to the front.
    public func setDarkMode(_ isOn: Bool) async {
        await phone.kernel.doing(.setDarkMode(isOn)) { () async -> Void in
            phone.device.settings.isDarkModeOn = isOn
            await phone.life.tellSurroundingsInFront()
            phone.kernel.changed(.screen)
        }
    }

    /// Sets Settings → General → Language & Region.
    ///
    /// As on iOS, all apps end, and use the new language from their next launch.
    ///
    /// - Parameter new: the locale. It determines the formats of time and date, and the layout direction of views
    ///   (`UIView.userInterfaceLayoutDirection(for:)`).
    public func setLocale(_ new: Locale) {
        phone.kernel.doingAtOnce(.setLocale(new.identifier)) { () -> Void in
            guard new != phone.device.settings.locale else { return }
            phone.device.settings.locale = new
            for app in phone.apps.all { phone.life.end(app) }
            phone.kernel.changed(.screen)
        }
    }

    /// Sets Settings → General → Date & Time → Time Zone, as a flight does with Set Automatically.
    ///
    /// Calendar triggers without a time zone follow the new zone, and so do midnight and the scheduled summary. Triggers with a
    /// time zone of their own and time-interval triggers keep their dates, as
    /// [reported](https://github.com/invertase/notifee/issues/1033). Running apps are told by `NSSystemTimeZoneDidChange` and by a
    /// significant time change; suspended apps are told when they run again.
    ///
    /// - Parameter new: the time zone. An app's `TimeZone.current` stays that of the program.
    public func setTimeZone(_ new: TimeZone) {
        phone.kernel.doingAtOnce(.setTimeZone(new.identifier)) { () -> Void in
            guard new != phone.timeZone else { return }
            phone.device.zone.value = new
            phone.awaitMidnight()
            phone.notifications.followTimeZone()
            phone.life.announce(.NSSystemTimeZoneDidChange)
            phone.life.announceSignificantTimeChange()
            phone.kernel.changed(.screen)
        }
    }
}
