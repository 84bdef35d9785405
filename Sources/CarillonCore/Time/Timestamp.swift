import Foundation

/// A point in time on the wall clock, in milliseconds since 1970-01-01T00:00:00Z.
///
/// Milliseconds are the unit of the `timestamp` in APNs' 410 answer, of `validUntil` in Infobip's payloads, and of the times in
/// Carillon's own part of a payload. Data from outside may contain any number, so arithmetic never overflows: a time out of
/// range becomes the first or the last possible time.
public struct Timestamp: Sendable, Hashable, Comparable {
    /// The milliseconds since 1970-01-01T00:00:00Z; negative for earlier times.
    public let millisecondsSince1970: Int64

    /// Makes a time from milliseconds since 1970-01-01T00:00:00Z.
    ///
    /// - Parameter millisecondsSince1970: the milliseconds; negative for times before 1970.
    public init(millisecondsSince1970: Int64) { self.millisecondsSince1970 = millisecondsSince1970 }

    /// Makes a time from whole seconds since 1970-01-01T00:00:00Z, the unit of `apns-expiration` and of a provider token's
    /// `iat`.
    ///
    /// - Parameter secondsSince1970: the seconds; negative for times before 1970.
    public init(secondsSince1970: Int64) {
        self.init(millisecondsSince1970: secondsSince1970.multipliedClamped(by: 1000))
    }

    /// Makes a time from a date, rounded to the nearest millisecond.
    ///
    /// - Parameter date: any date; a date out of range becomes the first or the last possible time.
    public init(_ date: Date) {
        self.init(millisecondsSince1970: (date.timeIntervalSince1970 * 1000).rounded().clampedToInt64)
    }

    /// The time as Foundation's `Date`.
    public var date: Date { Date(timeIntervalSince1970: Double(millisecondsSince1970) / 1000) }

    /// The whole seconds since 1970-01-01T00:00:00Z, rounded down: the unit of `apns-expiration` and of a provider token's
    /// `iat`.
    public var secondsSince1970: Int64 { (Double(millisecondsSince1970) / 1000).rounded(.down).clampedToInt64 }

    /// Returns whether `left` is earlier than `right`.
    public static func < (left: Self, right: Self) -> Bool { left.millisecondsSince1970 < right.millisecondsSince1970 }

    /// Returns the time that lies the duration `right` after `left`; fractions of a millisecond are dropped.
    public static func + (left: Self, right: Duration) -> Self {
        Self(millisecondsSince1970: left.millisecondsSince1970.addedClamped(right.wholeMilliseconds))
    }
    /// Returns the time that lies the duration `right` before `left`; fractions of a millisecond are dropped.
    public static func - (left: Self, right: Duration) -> Self {
        Self(millisecondsSince1970: left.millisecondsSince1970.subtractedClamped(right.wholeMilliseconds))
    }
    /// Returns the duration by which `left` is later than `right`; negative if `left` is earlier.
    public static func - (left: Self, right: Self) -> Duration {
        .milliseconds(left.millisecondsSince1970.subtractedClamped(right.millisecondsSince1970))
    }
}

extension Timestamp: CustomStringConvertible {
    /// The time in RFC 3339, in UTC with milliseconds: `2026-11-21T12:00:00.000Z`.
    ///
    /// Parsing this text gives an equal time. For about half of all times, Foundation's own format style would write one
    /// millisecond too few. A `Date` is a binary fraction, which may be slightly too small, and the style cuts off digits
    /// instead of rounding.
    public var description: String {
        let (seconds, rest) = millisecondsSince1970.quotientAndRemainder(dividingBy: 1000)
        let isBefore = rest < 0
        let whole = Date(timeIntervalSince1970: Double(isBefore ? seconds - 1 : seconds)).formatted(Self.rfc3339)
        let digits = String(1000 + (isBefore ? rest + 1000 : rest)).dropFirst()
        return "\(whole.dropLast()).\(digits)Z"
    }

    /// Reads [RFC 3339](https://www.rfc-editor.org/rfc/rfc3339), with or without a fraction of a second, in any zone;
    /// `nil` for any other text.
    ///
    /// - Parameter text: for instance `2027-01-31T12:00:00Z`.
    public init?(rfc3339 text: String) {
        // RFC 3339 §5.6 also allows lower-case t and z, which Foundation cannot parse.
        let text = text.utf8.contains { $0 == UInt8(ascii: "t") || $0 == UInt8(ascii: "z") } ? text.uppercased() : text
        if let date = try? Self.rfc3339WithFraction.parse(text) {
            self.init(date)
        } else if let date = try? Self.rfc3339.parse(text) {
            self.init(date)
        } else {
            return nil
        }
    }

    private static let rfc3339 = Date.ISO8601FormatStyle()
    private static let rfc3339WithFraction = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
}

/// Writes times as RFC 3339 text in the JSON of Carillon's API; reads such text, or a number of milliseconds.
extension Timestamp: Codable {
    /// Reads RFC 3339 text, or a number of milliseconds since 1970.
    ///
    /// - Parameter decoder: the decoder to read from.
    /// - Throws: `DecodingError` for anything else.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let text = try? container.decode(String.self) else {
            self.init(millisecondsSince1970: try container.decode(Int64.self))
            return
        }
        guard let parsed = Timestamp(rfc3339: text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "a time is RFC 3339, for instance 2027-01-31T12:00:00Z")
        }
        self = parsed
    }

    /// Writes RFC 3339 text in UTC with milliseconds.
    ///
    /// - Parameter encoder: the encoder to write to.
    /// - Throws: any error of the encoder.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension Double {
    /// The number, which must be whole, clamped to the range of `Int64`; not-a-number becomes the largest value.
    fileprivate var clampedToInt64: Int64 { Int64(exactly: self) ?? (self < 0 ? .min : .max) }
}

extension Duration {
    /// The duration in milliseconds, rounded towards zero and clamped to the range of `Int64`.
    package var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds.multipliedClamped(by: 1000).addedClamped(attoseconds / 1_000_000_000_000_000)
    }
}

/// Arithmetic on numbers from outside: results beyond the range of `Int64` become its largest or smallest value.
extension Int64 {
    func addedClamped(_ other: Int64) -> Int64 {
        let (sum, isTooLarge) = addingReportingOverflow(other)
        return isTooLarge ? (other < 0 ? .min : .max) : sum
    }

    func subtractedClamped(_ other: Int64) -> Int64 {
        let (difference, isTooLarge) = subtractingReportingOverflow(other)
        return isTooLarge ? (other > 0 ? .min : .max) : difference
    }

    func multipliedClamped(by factor: Int64) -> Int64 {
        let (product, isTooLarge) = multipliedReportingOverflow(by: factor)
        return isTooLarge ? ((self < 0) == (factor < 0) ? .max : .min) : product
    }
}
