import CarillonDevice
import Foundation

/// Makes the page's changes in a phone's Settings.
extension PagePhone {
    func change(_ setting: PhoneSetting, to isOn: Bool) async throws {
        let app = bundle.bundleID
        switch setting {
        case .focus: phone.setFocus(isOn)
        case .silent: phone.setMuted(isOn)
        case .dark: await phone.setDarkMode(isOn)
        case .backgroundRefresh: try phone.setBackgroundRefresh(isOn, for: app)
        case .notifications: try phone.setNotificationsAllowed(isOn, for: app)
        case .notification(let item): try phone.set(item, to: isOn, for: app)
        }
    }

    /// The phone's own settings, which are kept between two starts.
    var savedSettings: PhoneMemory.Settings {
        PhoneMemory.Settings(
            isFocusOn: phone.isFocusOn, isSilent: phone.isMuted, isDark: phone.isDarkModeOn,
            locale: phone.locale.identifier(.bcp47))
    }

    func restore(_ settings: PhoneMemory.Settings) async {
        phone.setFocus(settings.isFocusOn)
        phone.setMuted(settings.isSilent)
        await phone.setDarkMode(settings.isDark)
        phone.setLocale(Locale(identifier: settings.locale))
    }
}
