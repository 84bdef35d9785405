/// The valid values of one of Apple's keys.
package enum PayloadValue: Sendable, Hashable {
    case text
    case texts
    case textOrDictionary
    case dictionary
    case number(ClosedRange<Double>?)
    /// A whole number, 0 or more.
    case count
    /// A number that is used as a flag: 1 for "yes" and 0 for "no". iOS also accepts `true` for 1.
    case flag
    case oneOf([String])

    /// Returns the mistake in a value, as the rest of a sentence that begins with the key; `nil` for a valid value.
    package func problem(with value: JSONValue) -> String? {
        switch self {
        case .text: value.stringValue == nil ? Self.mismatch("a string", value) : nil
        case .texts:
            value.arrayValue?.allSatisfy { $0.stringValue != nil } == true
                ? nil : Self.mismatch("an array of strings", value)
        case .textOrDictionary:
            value.stringValue == nil && value.objectValue == nil
                ? "must be a string or a dictionary, not \(value.kind)" : nil
        case .dictionary: value.objectValue == nil ? Self.mismatch("a dictionary", value) : nil
        case .number(let range): Self.problem(with: value, in: range)
        case .count:
            value.intValue.map { $0 >= 0 } == true ? nil : Self.mismatch("a whole number that is not negative", value)
        case .flag:
            value.boolValue != nil || value.intValue == 0 || value.intValue == 1 ? nil : Self.mismatch("0 or 1", value)
        case .oneOf(let words):
            value.stringValue.map(words.contains) == true ? nil : "must be one of \(words.joined(separator: ", "))"
        }
    }

    /// Returns whether the value of a flag means "yes": the number 1 or `true`.
    package static func isOne(_ value: JSONValue?) -> Bool { value?.intValue == 1 || value?.boolValue == true }

    /// The kind of value in a few words, for a table.
    package var name: String {
        switch self {
        case .text: "string"
        case .texts: "array of strings"
        case .textOrDictionary: "string or dictionary"
        case .dictionary: "dictionary"
        case .number(nil): "number"
        case .number(let range?): "number, \(Int(range.lowerBound))–\(Int(range.upperBound))"
        case .count: "whole number, 0 or more"
        case .flag: "1"
        case .oneOf(let words): words.map { "`\($0)`" }.joined(separator: ", ")
        }
    }

    private static func problem(with value: JSONValue, in range: ClosedRange<Double>?) -> String? {
        guard let number = value.doubleValue else { return mismatch("a number", value) }
        guard let range, !range.contains(number) else { return nil }
        return "must lie between \(range.lowerBound) and \(range.upperBound), not \(number)"
    }

    private static func mismatch(_ expected: String, _ value: JSONValue) -> String {
        let found =
            switch value {
            case .int(let number): "\(number)"
            case .double(let number): "\(number)"
            case .number(let text): text
            default: value.kind
            }
        return "must be \(expected), not \(found)"
    }
}
