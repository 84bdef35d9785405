import Foundation

/// Any JSON value.
///
/// A value keeps the spelling of integers and all unknown members. ``Payload`` is read from and written to this type, so that a
/// key that Carillon does not know survives a round trip.
public enum JSONValue: Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number that is written without a fraction or an exponent and fits into 64 bits, such as `42`.
    case int(Int64)
    /// A number with a fraction, such as `0.25`, that a `Double` prints exactly as the JSON text spells it.
    case double(Double)
    /// A number whose spelling an `Int64` or a `Double` would change, kept as text, such as `18446744073709551615`,
    /// `1.0` or `1e5`.
    case number(String)
    /// A string.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object; its members have no order.
    case object(JSONObject)

    /// Makes an object from a dictionary.
    ///
    /// - Parameter members: the members by their names.
    /// - Returns: the object.
    public static func object(_ members: [String: JSONValue]) -> JSONValue { .object(JSONObject(members)) }
}

// MARK: - Reading

extension JSONValue {
    /// The deepest nesting of objects and arrays: 64.
    ///
    /// Texts with deeper nesting are refused, because other decoders would spend seconds of processor time on them.
    public static let depthLimit = 64

    /// Parses one JSON text.
    ///
    /// - Parameter data: the text in UTF-8.
    /// - Throws: ``JSONSyntaxError`` if `data` is not one JSON value in UTF-8.
    public init(parsing data: Data) throws {
        self = try JSONReader.value(of: data, depthLimit: Self.depthLimit, refusesRepeatedMembers: false)
    }

    /// Parses one JSON text, and refuses objects with two members of one name.
    ///
    /// Different readers would choose different members ([RFC 8259 §4](https://www.rfc-editor.org/rfc/rfc8259#section-4)).
    ///
    /// - Parameter data: the text in UTF-8.
    /// - Throws: ``JSONSyntaxError`` with the repeated member, or with another mistake in the text.
    package init(parsingUnambiguous data: Data) throws {
        self = try JSONReader.value(of: data, depthLimit: Self.depthLimit, refusesRepeatedMembers: true)
    }

    /// Parses one JSON text.
    ///
    /// - Parameter text: the whole text.
    /// - Throws: ``JSONSyntaxError`` if `text` is not one JSON value.
    public init(parsing text: String) throws {
        try self.init(parsing: Data(text.utf8))
    }

    /// The member of an object; `nil` for every other kind of value and for a missing key.
    ///
    /// - Parameter key: the member's name.
    public subscript(key: String) -> JSONValue? {
        if case .object(let members) = self { members[key] } else { nil }
    }

    /// The members of an object as a Swift dictionary; `nil` for every other kind of value.
    ///
    /// Of names that differ only in the composition of their characters, a Swift dictionary keeps one; ``members`` keeps all.
    public var objectValue: [String: JSONValue]? { members?.dictionary }
    /// The members of an object; `nil` for every other kind of value.
    public var members: JSONObject? { if case .object(let value) = self { value } else { nil } }
    /// The elements of an array; `nil` for every other kind of value.
    public var arrayValue: [JSONValue]? { if case .array(let value) = self { value } else { nil } }
    /// The text of a string; `nil` for every other kind of value.
    public var stringValue: String? { if case .string(let value) = self { value } else { nil } }
    /// The value of a boolean; `nil` for every other kind of value, including the numbers 0 and 1.
    public var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }

    /// The number as an integer; `nil` for a fraction, and for every other kind of value.
    ///
    /// A whole number in any spelling counts: `1.0` is `1`. A boolean does not count.
    public var intValue: Int? {
        switch self {
        case .int(let value): Int(exactly: value)
        case .double(let value): Int(exactly: value)
        case .number(let text): Int(text) ?? Double(text).flatMap { Int(exactly: $0) }
        default: nil
        }
    }

    /// The number, whole or not; `nil` for every other kind of value.
    public var doubleValue: Double? {
        switch self {
        case .int(let value): Double(value)
        case .double(let value): value
        case .number(let text): Double(text)
        default: nil
        }
    }

    /// The kind of value in words, for error messages, such as "a string".
    package var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .int, .double, .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

// MARK: - Writing

extension JSONValue {
    /// Returns the value as JSON in UTF-8: keys sorted, slashes unescaped, so that equal values give equal bytes.
    ///
    /// - Parameter pretty: whether to break lines and indent them. The default is `false`: compact.
    /// - Returns: the bytes.
    /// - Throws: `EncodingError` for a number that JSON cannot express (infinity, not-a-number).
    public func encoded(pretty: Bool = false) throws -> Data {
        try JSONWriter.data(of: self, pretty: pretty)
    }
}

extension JSONValue: Codable {
    /// Reads the next JSON value.
    ///
    /// - Parameter decoder: the decoder to read from.
    /// - Throws: `DecodingError` for a value that is not JSON, such as a property list's date.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        // Strings and objects come first, because payloads consist of them and every wrong guess costs an error with its path.
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let members = try? decoder.container(keyedBy: MemberName.self) {
            self = .object(try Self.members(members))
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .int(value)
        } else if let value = try? container.decode(UInt64.self) {
            self = .number("\(value)")
        } else if let value = try? container.decode(Double.self) {
            self = .double(value)
        } else {
            self = .array(try container.decode([JSONValue].self))
        }
    }

    private static func members(_ container: KeyedDecodingContainer<MemberName>) throws -> JSONObject {
        var members = JSONObject()
        for key in container.allKeys { members[key.stringValue] = try container.decode(JSONValue.self, forKey: key) }
        return members
    }

    private struct MemberName: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// Writes the value.
    ///
    /// - Parameter encoder: the encoder to write to.
    /// - Throws: any error of the encoder, also for a number that JSON cannot express.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .object(let members):
            // Members are written one by one: a dictionary as a whole takes twice as long.
            var container = encoder.container(keyedBy: MemberName.self)
            for (name, member) in members { try member.encode(to: &container, as: MemberName(stringValue: name)) }
        case .array(let elements):
            var container = encoder.unkeyedContainer()
            for element in elements { try container.encode(element) }
        case .null, .bool, .int, .double, .number, .string: try encodeScalar(to: encoder)
        }
    }

    private func encodeScalar(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null, .array, .object: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .int(let value): try container.encode(value)
        case .double(let value): try container.encode(value)
        // An encoder accepts only number types: whole numbers stay exact up to 38 digits.
        case .number(let text):
            if let value = Decimal(string: text) {
                try container.encode(value)
            } else {
                try container.encode(doubleValue)
            }
        case .string(let value): try container.encode(value)
        }
    }

    /// Writes this value as a member of an object, without a nested container for a string or a number.
    private func encode(to container: inout KeyedEncodingContainer<MemberName>, as name: MemberName) throws {
        switch self {
        case .bool(let value): try container.encode(value, forKey: name)
        case .int(let value): try container.encode(value, forKey: name)
        case .string(let value): try container.encode(value, forKey: name)
        case .null, .double, .number, .array, .object: try container.encode(self, forKey: name)
        }
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Makes a string from a string literal.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Makes an integer from an integer literal.
    public init(integerLiteral value: Int64) { self = .int(value) }
    /// Makes a double from a literal with a fraction.
    public init(floatLiteral value: Double) { self = .double(value) }
    /// Makes a boolean from `true` or `false`.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// Makes JSON's `null` from `nil`.
    public init(nilLiteral: ()) { self = .null }
    /// Makes an array from an array literal.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// Makes an object from a dictionary literal; if a key is repeated, its last value counts.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        var members = JSONObject()
        for (name, value) in elements { members[name] = value }
        self = .object(members)
    }
}
