import Foundation

/// A moment on the wall clock, in milliseconds since 1970-01-01T00:00:00Z.
///
/// Milliseconds because that is what travels: APNs' 410 `timestamp`, Infobip's `validUntil`, Carillon's own key. Any
/// number may come from outside, so what would be beyond the first or the last moment is that moment.
public struct Timestamp: Sendable, Hashable, Comparable {
    public let millisecondsSince1970: Int64

    public init(millisecondsSince1970: Int64) { self.millisecondsSince1970 = millisecondsSince1970 }
    public init(secondsSince1970: Int64) {
        self.init(millisecondsSince1970: secondsSince1970.multipliedClamped(by: 1000))
    }
    public init(_ date: Date) {
        self.init(millisecondsSince1970: (date.timeIntervalSince1970 * 1000).rounded().clampedToInt64)
    }

    public var date: Date { Date(timeIntervalSince1970: Double(millisecondsSince1970) / 1000) }

    /// Whole seconds, rounded down: the unit of `apns-expiration` and of a token's `iat`.
    public var secondsSince1970: Int64 { (Double(millisecondsSince1970) / 1000).rounded(.down).clampedToInt64 }

    public static func < (left: Self, right: Self) -> Bool { left.millisecondsSince1970 < right.millisecondsSince1970 }

    public static func + (left: Self, right: Duration) -> Self {
        Self(millisecondsSince1970: left.millisecondsSince1970.addedClamped(right.wholeMilliseconds))
    }
    public static func - (left: Self, right: Duration) -> Self {
        Self(millisecondsSince1970: left.millisecondsSince1970.subtractedClamped(right.wholeMilliseconds))
    }
    public static func - (left: Self, right: Self) -> Duration {
        .milliseconds(left.millisecondsSince1970.subtractedClamped(right.millisecondsSince1970))
    }
}

extension Timestamp: CustomStringConvertible {
    /// RFC 3339 in UTC with milliseconds: `2026-11-21T12:00:00.000Z`.
    public var description: String { date.formatted(Self.rfc3339WithFraction) }

    /// Reads RFC 3339, with or without a fraction of a second, in any zone: `2027-01-31T12:00:00Z`.
    public init?(rfc3339 text: String) {
        if let date = try? Self.rfc3339WithFraction.parse(text) {
            self.init(date)
        } else if let date = try? Date.ISO8601FormatStyle().parse(text) {
            self.init(date)
        } else {
            return nil
        }
    }

    private static let rfc3339WithFraction = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
}

/// On the wire of Carillon's own API a moment is RFC 3339 text; a number is read as milliseconds.
extension Timestamp: Codable {
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

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension Duration {
    /// The duration in milliseconds, rounded towards zero; what no `Int64` holds is the largest or the smallest.
    public var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds.multipliedClamped(by: 1000).addedClamped(attoseconds / 1_000_000_000_000_000)
    }
}

extension Double {
    /// Of a whole number; not-a-number is the largest.
    fileprivate var clampedToInt64: Int64 { Int64(exactly: self) ?? (self < 0 ? .min : .max) }
}

extension Int64 {
    fileprivate func addedClamped(_ other: Int64) -> Int64 {
        let (sum, isTooLarge) = addingReportingOverflow(other)
        return isTooLarge ? (other < 0 ? .min : .max) : sum
    }

    fileprivate func subtractedClamped(_ other: Int64) -> Int64 {
        let (difference, isTooLarge) = subtractingReportingOverflow(other)
        return isTooLarge ? (other > 0 ? .min : .max) : difference
    }

    fileprivate func multipliedClamped(by factor: Int64) -> Int64 {
        let (product, isTooLarge) = multipliedReportingOverflow(by: factor)
        return isTooLarge ? ((self < 0) == (factor < 0) ? .max : .min) : product
    }
}
