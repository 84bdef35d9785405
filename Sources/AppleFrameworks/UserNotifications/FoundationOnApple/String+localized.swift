import Foundation

extension String {
    /// A text with values, which is localized with the app's strings.
    @available(iOS 15, *)
    public struct LocalizationValue: ExpressibleByStringInterpolation, Equatable, Sendable {
        let key: String
        let values: [String]

        public init(_ value: String) { (key, values) = (value, []) }

        public init(stringLiteral value: String) { (key, values) = (value, []) }

        public init(stringInterpolation: StringInterpolation) {
            (key, values) = (stringInterpolation.key, stringInterpolation.values)
        }

        public struct StringInterpolation: StringInterpolationProtocol {
            var key = ""
            var values: [String] = []

            public init(literalCapacity: Int, interpolationCount: Int) {}

            public mutating func appendLiteral(_ literal: String) {
                key += literal.replacing("%", with: "%%")
            }

            public mutating func appendInterpolation(_ value: String) { add(value, as: "%@") }

            public mutating func appendInterpolation<Number: FixedWidthInteger>(_ value: Number) {
                add("\(value)", as: "%lld")
            }

            public mutating func appendInterpolation(_ value: Double) { add("\(value)", as: "%lf") }

            public mutating func appendInterpolation<Value: CustomStringConvertible>(_ value: Value) {
                add(value.description, as: "%@")
            }

            private mutating func add(_ value: String, as format: String) {
                key += format
                values.append(value)
            }
        }

        /// The key with its values filled in, for an app without a translation.
        var plain: String {
            var (rest, text) = (values[...], "")
            var pieces = key.replacing("%lld", with: "%@").replacing("%lf", with: "%@")[...]
            while let place = pieces.firstRange(of: "%@") {
                text += pieces[..<place.lowerBound] + (rest.popFirst() ?? "")
                pieces = pieces[place.upperBound...]
            }
            return (text + pieces).replacing("%%", with: "%")
        }
    }

    /// Makes a localized text, in the language of the calling app's phone.
    ///
    /// Differs from iOS: the text is always looked up in the app's `Localizable.strings`, without regard to table and bundle. If
    /// there is no translation, the text is the key, with the interpolated values filled in.
    ///
    /// - Parameter comment: a hint for translators.
    @available(iOS 15, *)
    public init(
        localized keyAndValue: String.LocalizationValue, table: String? = nil, bundle: Bundle? = nil,
        locale: Locale = .current, comment: StaticString? = nil
    ) {
        let found = SimulatedDevices.currentProcess?.localized(
            key: keyAndValue.key, arguments: keyAndValue.values)
        self = found ?? keyAndValue.plain
    }
}
