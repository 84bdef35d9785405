extension JSONValue {
    /// Makes a value from a number's text.
    ///
    /// The value is an `int` or a `double` if the `Int64` or `Double` prints exactly as the text, and otherwise a `number`. The
    /// result is `nil` if the number is too large for a double.
    ///
    /// - Parameters:
    ///   - text: a JSON number.
    ///   - isWhole: whether the text has neither a fraction nor an exponent.
    init?(numberText text: String, isWhole: Bool) {
        if isWhole, text != "-0", let value = Int64(text) {
            self = .int(value)
            return
        }
        guard let value = Double(text), value.isFinite else { return nil }
        let isPlain = !isWhole && !text.hasSuffix(".0") && !text.utf8.contains { $0 | 0x20 == UInt8(ascii: "e") }
        self = isPlain && value.description == text ? .double(value) : .number(text)
    }
}

extension JSONValue: Hashable {
    /// Compares values.
    ///
    /// Numbers are compared by value, not by spelling: `1`, `1.0` and `10e-1` are equal. Strings and names are compared by their
    /// bytes ([RFC 8259 §8.3](https://www.rfc-editor.org/rfc/rfc8259#section-8.3)).
    public static func == (one: JSONValue, other: JSONValue) -> Bool {
        switch (one, other) {
        case (.null, .null): true
        case (.bool(let one), .bool(let other)): one == other
        case (.int(let one), .int(let other)): one == other
        case (.double(let one), .double(let other)): one == other
        case (.string(let one), .string(let other)): one.utf8.elementsEqual(other.utf8)
        case (.array(let one), .array(let other)): one == other
        case (.object(let one), .object(let other)): one == other
        case (.number(let one), .number(let other)) where one == other: true
        default:
            if let one = one.decimal, let other = other.decimal { one == other } else { false }
        }
    }

    /// Hashes the value.
    ///
    /// A number is hashed as its nearest double, which is equal for equal numbers.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .int, .double, .number: hasher.combine(doubleValue)
        case .string(let value): hasher.combine(value)
        case .array(let value): hasher.combine(value)
        case .object(let value): hasher.combine(value)
        }
    }

    /// The number independent of its spelling; `nil` for any other kind of value, for infinity and for not-a-number.
    package var decimal: JSONDecimal? {
        switch self {
        case .int(let value): JSONDecimal("\(value)")
        case .double(let value): value.isFinite ? JSONDecimal("\(value)") : nil
        case .number(let text): JSONDecimal(text)
        default: nil
        }
    }
}

/// A JSON number in normal form: the digits without zeros at either end, and the power of ten of the last digit.
package struct JSONDecimal: Hashable, Sendable {
    package let isNegative: Bool
    package let digits: String
    package let exponent: Int

    /// Reads the text of a number, as JSON or Swift writes it.
    init(_ text: String) {
        var digits: [UInt8] = []
        var exponent = 0
        var isFraction = false
        var rest = text.utf8[...]
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative { rest = rest.dropFirst() }
        while let byte = rest.first, byte | 0x20 != UInt8(ascii: "e") {
            rest = rest.dropFirst()
            if byte == UInt8(ascii: ".") {
                isFraction = true
            } else {
                digits.append(byte)
                if isFraction { exponent -= 1 }
            }
        }
        if !rest.isEmpty {
            let power = String(rest.dropFirst()) ?? ""
            // Beyond these limits the mantissa must be zero: other such numbers are too large for a double, or are zero as
            // doubles.
            let value = Int(power) ?? (power.hasPrefix("-") ? -Self.greatestPower : Self.greatestPower)
            exponent += min(max(value, -Self.greatestPower), Self.greatestPower)
        }
        while digits.last == UInt8(ascii: "0") {
            digits.removeLast()
            exponent += 1
        }
        self.digits = String(decoding: digits.drop { $0 == UInt8(ascii: "0") }, as: UTF8.self)
        self.isNegative = isNegative && !digits.isEmpty
        self.exponent = digits.isEmpty ? 0 : exponent
    }

    private static let greatestPower = 1 << 40
}
