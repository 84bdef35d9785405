import CarillonDevice
import Foundation

/// Changes a phone's Settings on behalf of the page.
extension PagePhone {
    /// The level of a battery that is almost empty, between 0 and 1.
    private static let lowBatteryLevel = 0.1

    func change(_ setting: PhoneSetting, to isOn: Bool) async throws {
        let app = bundle.bundleID
        switch setting {
        case .focus: phone.settings.setFocus(isOn)
        case .silent: phone.settings.setMuted(isOn)
        case .dark:
            // Until now it has followed the browser.
            if !appearance.isChosen { appearance.isBrowserDark = phone.settings.isDarkModeOn }
            appearance.isChosen = true
            await phone.settings.setDarkMode(isOn)
        case .browserDark:
            appearance.isBrowserDark = isOn
            if !appearance.isChosen { await phone.settings.setDarkMode(isOn) }
        case .lowPower: phone.settings.setLowPowerMode(isOn)
        case .lowBattery: phone.setBatteryLevel(isOn ? Self.lowBatteryLevel : 1)
        case .rule(let rule): rule.set(isOn, in: &phone.rules)
        case .backgroundRefresh: try phone.settings.setBackgroundRefresh(isOn, for: app)
        case .liveActivities: try phone.activities.set(isOn, for: app)
        case .notifications: try phone.settings.setNotificationsAllowed(isOn, for: app)
        case .notification(let item): try phone.settings.set(item, to: isOn, for: app)
        }
    }

    /// The settings of the phone itself, for the saved state that the next start of `carillon up` restores.
    var savedSettings: PhoneMemory.Settings {
        PhoneMemory.Settings(
            isFocusOn: phone.settings.isFocusOn, isSilent: phone.settings.isMuted, isDark: phone.settings.isDarkModeOn,
            appearance: appearance, locale: phone.settings.locale.identifier(.bcp47),
            isLowPower: phone.settings.isLowPowerModeOn,
            isBatteryLow: phone.batteryLevel <= Self.lowBatteryLevel,
            rules: PageRule.allCases.filter { $0.isOn(in: phone.rules) }.map(\.rawValue))
    }

    func restore(_ settings: PhoneMemory.Settings) async {
        phone.settings.setFocus(settings.isFocusOn)
        phone.settings.setMuted(settings.isSilent)
        await phone.settings.setDarkMode(settings.isDark)
        appearance = settings.appearance ?? PhoneMemory.Appearance()
        phone.settings.setLocale(Locale(identifier: settings.locale))
        phone.settings.setLowPowerMode(settings.isLowPower ?? false)
        if settings.isBatteryLow == true { phone.setBatteryLevel(Self.lowBatteryLevel) }
        guard let known = settings.rules else { return }
        for rule in PageRule.allCases { rule.set(known.contains(rule.rawValue), in: &phone.rules) }
    }
}
