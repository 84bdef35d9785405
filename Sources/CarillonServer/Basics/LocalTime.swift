import CarillonCore

/// A date and a time of day as a clock shows them, without a time zone, such as `2026-12-24T09:00`.
///
/// In each time zone it stands for one moment (``moment(offset:)``).
package struct LocalTime: Sendable, Hashable {
    /// The moment at which a clock of UTC shows this time.
    package let inUTC: Timestamp

    /// The time by which clocks are ahead of UTC where a day begins first.
    package static let furthestAhead = Duration.seconds(14 * 3600)
    /// The time by which clocks are behind UTC where a day begins last.
    package static let furthestBehind = Duration.seconds(12 * 3600)

    /// Reads a date and a time of day, with or without seconds.
    ///
    /// - Parameter text: for instance `2026-12-24T09:00`; the result is `nil` for a date that does not exist, and for any other
    ///   text.
    package init?(_ text: String) {
        let shape = text.utf8.map { (0x30...0x39).contains($0) ? UInt8(ascii: "0") : $0 }
        let isShort = shape == Array("0000-00-00T00:00".utf8)
        guard isShort || shape == Array("0000-00-00T00:00:00".utf8) else { return nil }
        let whole = isShort ? "\(text):00" : text
        // A day that a month does not have may be read as one of the next month.
        guard let moment = Timestamp(rfc3339: "\(whole)Z"), moment.description.hasPrefix(whole) else { return nil }
        inUTC = moment
    }

    /// The moment at which clocks show this time first, of all places.
    package var earliest: Timestamp { inUTC - Self.furthestAhead }
    /// The moment at which clocks show this time last, of all places.
    package var latest: Timestamp { inUTC + Self.furthestBehind }

    /// Returns the first moment at which a clock of a time zone shows this time or a later one.
    ///
    /// So a time that the change to summer time skips means the moment of the change. A time that comes twice means its first
    /// coming.
    ///
    /// - Parameter offset: returns the number of seconds by which the zone's clocks are ahead of UTC at a moment. Within the 28
    ///   hours about this time, it changes at most once.
    /// - Returns: the moment.
    package func moment(offset: (Timestamp) -> Int) -> Timestamp {
        var (before, after) = (earliest - .seconds(3600), latest + .seconds(3600))
        let (former, latter) = (offset(before), offset(after))
        let moment = inUTC - .seconds(former)
        guard former != latter else { return moment }
        while after - before > .seconds(1) {
            let middle = before + (after - before) / 2
            if offset(middle) == former { before = middle } else { after = middle }
        }
        // Changes of clocks lie on whole seconds.
        let change = Timestamp(secondsSince1970: after.secondsSince1970)
        return moment < change ? moment : max(change, inUTC - .seconds(latter))
    }
}

extension LocalTime: CustomStringConvertible {
    /// The time as a backend gives it; without the seconds if there are none.
    package var description: String {
        let whole = inUTC.description.prefix(19)
        return String(whole.hasSuffix(":00") ? whole.dropLast(3) : whole)
    }
}

extension LocalTime: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let time = LocalTime(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "a local time is for instance 2026-12-24T09:00")
        }
        self = time
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
