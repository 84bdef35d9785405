/// A log message with interpolated values; the privacy of each value decides whether the log shows the value.
/// [OSLogMessage](https://developer.apple.com/documentation/os/oslogmessage)
public struct OSLogMessage: ExpressibleByStringInterpolation, ExpressibleByStringLiteral {
    let text: String

    public init(stringLiteral value: String) { text = value }

    public init(stringInterpolation: OSLogInterpolation) { text = stringInterpolation.text }
}

/// The interpolation that builds a log message.
public struct OSLogInterpolation: StringInterpolationProtocol {
    var text = ""

    public init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

    public mutating func appendLiteral(_ literal: String) { text += literal }

    public mutating func appendInterpolation(
        _ argument: @autoclosure @escaping () -> String, align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto
    ) { text += align.applied(to: privacy.shown(argument(), isText: true)) }

    public mutating func appendInterpolation<Number: Numeric>(
        _ number: @autoclosure @escaping () -> Number, privacy: OSLogPrivacy = .auto
    ) { text += privacy.shown("\(number())", isText: false) }

    public mutating func appendInterpolation(
        _ boolean: @autoclosure @escaping () -> Bool, privacy: OSLogPrivacy = .auto
    ) { text += privacy.shown("\(boolean())", isText: false) }

    public mutating func appendInterpolation<Value: CustomStringConvertible>(
        _ value: @autoclosure @escaping () -> Value, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) { text += align.applied(to: privacy.shown(value().description, isText: true)) }

    public mutating func appendInterpolation(
        _ error: @autoclosure @escaping () -> any Error, privacy: OSLogPrivacy = .auto
    ) { text += privacy.shown("\(error())", isText: true) }

    public mutating func appendInterpolation(
        _ type: @autoclosure @escaping () -> any Any.Type, privacy: OSLogPrivacy = .auto
    ) { text += privacy.shown("\(type())", isText: false) }
}

/// The width and alignment of a text in a message.
public struct OSLogStringAlignment: Sendable {
    let columns: Int
    let isAtTheEnd: Bool

    public static var none: OSLogStringAlignment { OSLogStringAlignment(columns: 0, isAtTheEnd: false) }

    public static func left(columns: Int) -> OSLogStringAlignment {
        OSLogStringAlignment(columns: columns, isAtTheEnd: false)
    }

    public static func right(columns: Int) -> OSLogStringAlignment {
        OSLogStringAlignment(columns: columns, isAtTheEnd: true)
    }

    func applied(to text: String) -> String {
        let space = String(repeating: " ", count: max(0, columns - text.count))
        return isAtTheEnd ? space + text : text + space
    }
}
