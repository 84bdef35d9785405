import Foundation

/// A choice of Language & Region in a phone's Settings.
struct PhoneRegion: Encodable, Sendable, Equatable {
    /// [BCP 47](https://www.rfc-editor.org/info/bcp47), for instance `en-GB`.
    var id: String
    /// In the region's own language.
    var name: String

    /// The regions that a phone offers: clocks of 12 and 24 hours, dates in several orders, texts in both directions.
    static let all = [
        PhoneRegion(id: "en-GB", name: "English (UK)"), PhoneRegion(id: "en-US", name: "English (US)"),
        PhoneRegion(id: "de-DE", name: "Deutsch"), PhoneRegion(id: "fr-FR", name: "Français"),
        PhoneRegion(id: "hu-HU", name: "Magyar"), PhoneRegion(id: "ar-EG", name: "العربية"),
        PhoneRegion(id: "he-IL", name: "עברית"),
    ]

    /// The region of a new phone.
    static let first = "en-GB"
}

/// How a phone writes the time and the date, and which way its texts run.
struct PhoneRegionFacts: Encodable, Sendable, Equatable {
    /// [BCP 47](https://www.rfc-editor.org/info/bcp47).
    var locale: String
    /// Whether its clocks count to 12.
    var isTwelveHour: Bool
    var isRightToLeft: Bool
    /// For instance `Europe/London`: the machine's, which phones share.
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
