import Foundation

/// A writer of JSON text.
///
/// It writes the bytes that Foundation's encoder writes with sorted names and unescaped slashes, but keeps the text of each
/// ``JSONValue/number(_:)``, such as `1.0` and `1e5`. It also takes only a fraction of the encoder's time.
struct JSONWriter {
    private var bytes: [UInt8] = []
    private let isPretty: Bool

    /// Returns the JSON text of a value in UTF-8.
    ///
    /// - Parameters:
    ///   - value: the value.
    ///   - pretty: whether to break lines and indent them.
    /// - Returns: the text.
    /// - Throws: `EncodingError` for a number that JSON cannot express.
    static func data(of value: JSONValue, pretty: Bool) throws -> Data {
        var writer = JSONWriter(isPretty: pretty)
        try writer.write(value, depth: 0)
        return Data(writer.bytes)
    }

    private init(isPretty: Bool) { self.isPretty = isPretty }

    private mutating func write(_ value: JSONValue, depth: Int) throws {
        switch value {
        case .null: write("null")
        case .bool(let value): write(value ? "true" : "false")
        case .int(let value): write("\(value)")
        case .double(let value): write(try Self.text(of: value))
        case .number(let text): write(text)
        case .string(let text): write(quoted: text)
        case .array(let elements):
            write("[")
            for (index, element) in elements.enumerated() {
                begin(index == 0, depth: depth + 1)
                try write(element, depth: depth + 1)
            }
            end("]", isEmpty: elements.isEmpty, depth: depth)
        case .object(let members):
            write("{")
            for (index, member) in members.sorted().enumerated() {
                begin(index == 0, depth: depth + 1)
                write(quoted: member.key)
                write(isPretty ? " : " : ":")
                try write(member.value, depth: depth + 1)
            }
            end("}", isEmpty: members.isEmpty, depth: depth)
        }
    }

    private mutating func begin(_ isFirst: Bool, depth: Int) {
        if !isFirst { write(",") }
        if isPretty { write("\n" + String(repeating: "  ", count: depth)) }
    }

    private mutating func end(_ bracket: String, isEmpty: Bool, depth: Int) {
        if isPretty, !isEmpty { write("\n" + String(repeating: "  ", count: depth)) }
        write(bracket)
    }

    private mutating func write(_ text: String) { bytes.append(contentsOf: text.utf8) }

    private mutating func write(quoted text: String) {
        bytes.append(UInt8(ascii: "\""))
        if text.utf8.contains(where: Self.needsEscape) {
            for byte in text.utf8 { write(escaped: byte) }
        } else {
            write(text)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Returns whether a byte cannot stand for itself within quotation marks: [RFC 8259
    /// §7](https://www.rfc-editor.org/rfc/rfc8259#section-7).
    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private mutating func write(escaped byte: UInt8) {
        guard Self.needsEscape(byte) else { return bytes.append(byte) }
        switch byte {
        case UInt8(ascii: "\""): write("\\\"")
        case UInt8(ascii: "\\"): write("\\\\")
        case 0x08: write("\\b")
        case 0x09: write("\\t")
        case 0x0A: write("\\n")
        case 0x0C: write("\\f")
        case 0x0D: write("\\r")
        default: write((byte < 0x10 ? "\\u000" : "\\u00") + String(byte, radix: 16))
        }
    }

    private static func text(of number: Double) throws -> String {
        guard number.isFinite else {
            throw EncodingError.invalidValue(
                number, EncodingError.Context(codingPath: [], debugDescription: "JSON has no number \(number)"))
        }
        let text = number.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
