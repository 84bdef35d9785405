import CarillonDevice
import Foundation

/// Changes a phone's Settings on behalf of the page.
extension PagePhone {
    func change(_ setting: PhoneSetting, to isOn: Bool) async throws {
        let app = bundle.bundleID
        switch setting {
        case .focus: phone.settings.setFocus(isOn)
        case .silent: phone.settings.setMuted(isOn)
        case .dark: await phone.settings.setDarkMode(isOn)
        case .backgroundRefresh: try phone.settings.setBackgroundRefresh(isOn, for: app)
        case .notifications: try phone.settings.setNotificationsAllowed(isOn, for: app)
        case .notification(let item): try phone.settings.set(item, to: isOn, for: app)
        }
    }

    /// The phone's own settings, which the next start restores.
    var savedSettings: PhoneMemory.Settings {
        PhoneMemory.Settings(
            isFocusOn: phone.settings.isFocusOn, isSilent: phone.settings.isMuted, isDark: phone.settings.isDarkModeOn,
            locale: phone.settings.locale.identifier(.bcp47))
    }

    func restore(_ settings: PhoneMemory.Settings) async {
        phone.settings.setFocus(settings.isFocusOn)
        phone.settings.setMuted(settings.isSilent)
        await phone.settings.setDarkMode(settings.isDark)
        phone.settings.setLocale(Locale(identifier: settings.locale))
    }
}
