import Foundation

/// A choice in Language & Region of a phone's Settings.
struct PhoneRegion: Encodable, Sendable, Equatable {
    /// The region as a [BCP 47](https://www.rfc-editor.org/info/bcp47) tag, such as `en-GB`.
    var id: String
    /// The region's name in its own language.
    var name: String

    /// The regions that a phone offers.
    ///
    /// The regions cover clocks of 12 and 24 hours, several date orders, and both writing directions.
    static let all = [
        PhoneRegion(id: "en-GB", name: "English (UK)"), PhoneRegion(id: "en-US", name: "English (US)"),
        PhoneRegion(id: "de-DE", name: "Deutsch"), PhoneRegion(id: "fr-FR", name: "Français"),
        PhoneRegion(id: "hu-HU", name: "Magyar"), PhoneRegion(id: "ar-EG", name: "العربية"),
        PhoneRegion(id: "he-IL", name: "עברית"),
    ]

    /// The region of a new phone.
    static let first = "en-GB"
}

/// The formats of a phone's time and date, and the direction of its texts.
struct PhoneRegionFacts: Encodable, Sendable, Equatable {
    /// The locale as a [BCP 47](https://www.rfc-editor.org/info/bcp47) tag.
    var locale: String
    /// Whether clocks show 12 hours instead of 24.
    var isTwelveHour: Bool
    var isRightToLeft: Bool
    /// The time zone, such as `Europe/London`.
    ///
    /// The phone has the time zone of this machine.
    var timeZone: String

    init(_ locale: Locale, timeZone: TimeZone) {
        self.locale = locale.identifier(.bcp47)
        isTwelveHour = locale.hourCycle == .oneToTwelve || locale.hourCycle == .zeroToEleven
        isRightToLeft = locale.language.characterDirection == .rightToLeft
        self.timeZone = timeZone.identifier
    }

    enum CodingKeys: String, CodingKey {
        case locale
        case isTwelveHour = "twelve_hour"
        case isRightToLeft = "right_to_left"
        case timeZone = "time_zone"
    }
}
