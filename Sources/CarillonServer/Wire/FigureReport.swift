import CarillonCore

/// The answer of `GET /v1/figures`: counts over some days, of an app, of one of its campaigns, or of a message.
package struct FigureReport: Sendable, Hashable, Codable {
    /// The first and the last day, in UTC.
    package var from: FigureDay
    package var to: FigureDay
    /// The message, if the figures are a message's.
    package var message: MessageID?
    /// The campaign, if the figures are a campaign's.
    package var campaign: String?
    /// The sums over all days.
    package var total: Figures
    /// The days on which something was counted, the oldest first.
    package var days: [Day]

    /// The figures of one day.
    package struct Day: Sendable, Hashable, Codable {
        package var day: FigureDay
        package var figures: Figures

        private enum CodingKeys: String, CodingKey {
            case day
        }

        package init(day: FigureDay, figures: Figures) { (self.day, self.figures) = (day, figures) }

        package init(from decoder: any Decoder) throws {
            day = try decoder.container(keyedBy: CodingKeys.self).decode(FigureDay.self, forKey: .day)
            figures = try Figures(from: decoder)
        }

        package func encode(to encoder: any Encoder) throws {
            try figures.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(day, forKey: .day)
        }
    }
}

/// The answer of `GET /v1/figures/campaigns`: the campaigns of an app, with their sums over some days.
package struct CampaignFigures: Sendable, Hashable, Codable {
    package var from: FigureDay
    package var to: FigureDay
    package var campaigns: [Campaign]
    /// The value of `?after=` for the next page; absent on the last page.
    package var next: String?

    /// One campaign.
    package struct Campaign: Sendable, Hashable, Codable {
        package var campaign: String
        package var figures: Figures

        private enum CodingKeys: String, CodingKey {
            case campaign
        }

        package init(campaign: String, figures: Figures) { (self.campaign, self.figures) = (campaign, figures) }

        package init(from decoder: any Decoder) throws {
            campaign = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .campaign)
            figures = try Figures(from: decoder)
        }

        package func encode(to encoder: any Encoder) throws {
            try figures.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(campaign, forKey: .campaign)
        }
    }
}

/// Counts of devices, each once for a revision of a message (docs/figures.md).
package struct Figures: Sendable, Hashable, Codable {
    /// The number of pushes with a message that APNs has accepted.
    package var accepted = 0
    /// The number of pushes with a message that were given up.
    package var failed = 0
    /// The numbers of ``failed`` by reason: APNs' own, or `unanswered`.
    package var failures: [String: Int] = [:]
    package var received = 0
    package var shown = 0
    package var opened = 0
    package var acted = 0
    package var dismissed = 0
    /// The numbers of messages by the time from APNs' acceptance to the display: the key is the upper bound in seconds, or `more`.
    package var shownWithin: [String: Int] = [:]
    /// The number of people who have switched notifications off.
    package var optOuts = 0
    /// The number of devices whose token APNs has reported as no longer valid.
    package var unregistered = 0

    package init() {}

    enum CodingKeys: String, CodingKey {
        case accepted, failed, failures, received, shown, opened, acted, dismissed, unregistered
        case shownWithin = "shown_within"
        case optOuts = "opt_outs"
    }
}

/// A day in UTC.
package struct FigureDay: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The number of days since 1970-01-01.
    package let number: Int

    package init(number: Int) { self.number = number }

    /// Makes the day of a time.
    package init(_ moment: Timestamp) {
        let (days, rest) = moment.secondsSince1970.quotientAndRemainder(dividingBy: Self.seconds)
        number = Int(rest < 0 ? days - 1 : days)
    }

    /// Parses a day such as `2027-01-31`; the result is `nil` for any other text.
    package init?(_ text: String) {
        guard text.utf8.count == 10, let moment = Timestamp(rfc3339: "\(text)T00:00:00Z") else { return nil }
        self.init(moment)
        guard description == text else { return nil }
    }

    package var description: String {
        String((Timestamp(secondsSince1970: 0) + .seconds(Self.seconds) * number).description.prefix(10))
    }

    /// Returns the day so many days later.
    package func advanced(by days: Int) -> FigureDay { FigureDay(number: number + days) }

    package static func < (left: Self, right: Self) -> Bool { left.number < right.number }

    private static let seconds: Int64 = 24 * 3600
}

extension FigureDay: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let day = FigureDay(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "a day is such as 2027-01-31")
        }
        self = day
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
