import Foundation

/// Any JSON value, kept exactly as far as JSON itself is exact: integers stay integers, unknown keys stay where they were.
///
/// ``Payload`` is read from and written to this type, so that a key that Carillon does not know survives a round trip.
public enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case int(Int64)
    case double(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])
}

// MARK: - Reading

extension JSONValue {
    /// Reads one JSON text.
    ///
    /// - Throws: ``JSONSyntaxError`` when `data` is not one JSON value in UTF-8.
    public init(parsing data: Data) throws {
        do {
            self = try JSONDecoder().decode(JSONValue.self, from: data)
        } catch {
            throw JSONSyntaxError(underlying: error)
        }
        if TrailingComma.isIn(data) { throw JSONSyntaxError(description: "not valid JSON: a comma before a } or ]") }
    }

    public init(parsing text: String) throws {
        try self.init(parsing: Data(text.utf8))
    }

    /// The member of an object, `nil` for every other kind of value and for a missing key.
    public subscript(key: String) -> JSONValue? {
        if case .object(let members) = self { members[key] } else { nil }
    }

    public var objectValue: [String: JSONValue]? { if case .object(let value) = self { value } else { nil } }
    public var arrayValue: [JSONValue]? { if case .array(let value) = self { value } else { nil } }
    public var stringValue: String? { if case .string(let value) = self { value } else { nil } }
    public var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }

    /// The number as an integer; a whole double counts (`1.0` is `1`), a boolean does not.
    public var intValue: Int? {
        switch self {
        case .int(let value): Int(exactly: value)
        case .double(let value): Int(exactly: value)
        default: nil
        }
    }

    public var doubleValue: Double? {
        switch self {
        case .int(let value): Double(value)
        case .double(let value): value
        default: nil
        }
    }

    /// The kind of value in words, for error messages: "a string", "an object", …
    public var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .int, .double: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

// MARK: - Writing

extension JSONValue {
    /// The value as compact JSON in UTF-8: keys sorted, slashes unescaped, so that equal values give equal bytes.
    ///
    /// - Throws: `EncodingError` for a number that JSON cannot express (infinity, not-a-number).
    public func encoded(pretty: Bool = false) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if pretty { encoder.outputFormatting.insert(.prettyPrinted) }
        return try encoder.encode(self)
    }
}

extension JSONValue: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        // In this order because every wrong guess costs an error with its path: texts and objects are what payloads are
        // made of.
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
        } else if let value = try? container.decode(Double.self) {
            self = .double(value)
        } else {
            self = .array(try container.decode([JSONValue].self))
        }
    }

    private static func members(_ container: KeyedDecodingContainer<MemberName>) throws -> [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        for key in container.allKeys { members[key.stringValue] = try container.decode(JSONValue.self, forKey: key) }
        return members
    }

    private struct MemberName: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .int(let value): try container.encode(value)
        case .double(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(integerLiteral value: Int64) { self = .int(value) }
    public init(floatLiteral value: Double) { self = .double(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(nilLiteral: ()) { self = .null }
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements, uniquingKeysWith: { _, last in last }))
    }
}

/// What was wrong with a text that should have been JSON, in a sentence a person can act on.
public struct JSONSyntaxError: Error, Sendable, CustomStringConvertible {
    public let description: String

    init(description: String) { self.description = description }

    init(underlying: any Error) {
        if case DecodingError.dataCorrupted(let context) = underlying {
            let detail = (context.underlyingError as NSError?)?.userInfo[NSDebugDescriptionErrorKey] as? String
            description = "not valid JSON: \(detail ?? context.debugDescription)"
        } else {
            description = "not valid JSON: \(underlying)"
        }
    }
}
