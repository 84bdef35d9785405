import CarillonDevice
import Foundation
import UserNotifications

extension PhoneState {
    /// The contents of a phone's Settings app.
    struct Settings: Encodable, Sendable, Equatable {
        struct Switch: Encodable, Sendable, Equatable {
            /// The switch's id in the command `set`.
            var id: String
            var title: String
            var isOn: Bool

            enum CodingKeys: String, CodingKey {
                case id, title
                case isOn = "on"
            }
        }

        var isFocusOn: Bool
        var isSilent: Bool
        var isBackgroundRefreshOn: Bool
        var isLowPowerModeOn: Bool
        var isBatteryLow: Bool
        /// The switches for the rules of iOS that Apple's documentation leaves open.
        var rules: [Switch]
        /// Whether the app's switch Allow Notifications is on.
        var allowsNotifications: Bool
        /// The switches below "Allow Notifications"; empty while "Allow Notifications" is off.
        var switches: [Switch]
        /// The app's setting Show Previews: `always`, `when-unlocked` or `never`; `nil` while Settings does not show it.
        var previews: String?
        var regions: [PhoneRegion]
        /// Whether the app's switch Live Activities is on; `nil` for an app without Live Activities.
        var areLiveActivitiesOn: Bool?

        enum CodingKeys: String, CodingKey {
            case switches, previews, regions, rules
            case areLiveActivitiesOn = "live_activities"
            case isFocusOn = "focus"
            case isSilent = "silent"
            case isBackgroundRefreshOn = "background_refresh"
            case isLowPowerModeOn = "low_power"
            case isBatteryLow = "low_battery"
            case allowsNotifications = "notifications"
        }
    }

    /// The last sound that a notification has played on the phone.
    struct Sound: Encodable, Sendable, Equatable {
        /// The number of the sound, which increases with each sound.
        ///
        /// If a sound is played twice, the page can tell the second from the first by this number.
        var number: Int
        /// The name of the sound's file in the app, or `default`.
        var name: String
    }
}

extension PhoneState.Settings {
    @MainActor init(_ phone: Phone, _ bundle: AppBundle) {
        let bundleID = bundle.bundleID
        let page = try? phone.settings.page(of: bundleID)
        isFocusOn = phone.settings.isFocusOn
        isSilent = phone.settings.isMuted
        isBackgroundRefreshOn = (try? phone.settings.isBackgroundRefreshOn(for: bundleID)) ?? false
        isLowPowerModeOn = phone.settings.isLowPowerModeOn
        isBatteryLow = phone.batteryLevel < phone.rules.criticalBatteryLevel
        rules = PageRule.allCases.map { Switch(id: $0.rawValue, title: $0.title, isOn: $0.isOn(in: phone.rules)) }
        allowsNotifications = page?.isAllowed ?? false
        switches = (page?.rows ?? []).map { Switch(id: $0.item.id, title: $0.item.rawValue, isOn: $0.isOn) }
        previews = page?.previews?.word
        regions = PhoneRegion.all
        areLiveActivitiesOn =
            bundle.supportsLiveActivities ? try? phone.activities.areOn(for: bundleID) : nil
    }
}

extension PhoneState.Sheet {
    /// Makes the sheet that asks the phone's owner to authenticate.
    init(_ sheet: AuthenticationSheet) {
        title = sheet.method.rawValue
        message = "Unlock this iPhone to choose “\(sheet.actionTitle)”."
    }
}

extension UNShowPreviewsSetting {
    var word: String {
        switch self {
        case .always: "always"
        case .whenAuthenticated: "when-unlocked"
        case .never: "never"
        @unknown default: "always"
        }
    }

    /// Makes a value of iOS's setting Show Previews from its word in the page's requests.
    ///
    /// - Parameter word: `always`, `when-unlocked` or `never`. Any other text gives `nil`.
    init?(word: String) {
        guard let found = [Self.always, .whenAuthenticated, .never].first(where: { $0.word == word }) else {
            return nil
        }
        self = found
    }
}
