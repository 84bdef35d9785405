import Foundation

/// A writer of JSON text that keeps the spelling of numbers such as `1.0` and `1e5` (``JSONValue/number(_:)``).
///
/// Foundation's encoders would change this spelling.
struct JSONWriter {
    private var text = Data()
    private let isPretty: Bool

    /// Returns the JSON text of a value.
    ///
    /// - Parameters:
    ///   - value: the value.
    ///   - pretty: whether to break lines and indent them.
    /// - Returns: the value in UTF-8, as Foundation writes it with sorted names and unescaped slashes, but with the text of each
    ///   ``JSONValue/number(_:)`` unchanged.
    /// - Throws: `EncodingError` for a number that JSON cannot express.
    static func data(of value: JSONValue, pretty: Bool) throws -> Data {
        var writer = JSONWriter(isPretty: pretty)
        try writer.write(value, depth: 0)
        return writer.text
    }

    private init(isPretty: Bool) { self.isPretty = isPretty }

    private mutating func write(_ value: JSONValue, depth: Int) throws {
        switch value {
        case .number(let number): text += Data(number.utf8)
        case .array(let elements):
            text += Data("[".utf8)
            for (index, element) in elements.enumerated() {
                begin(index == 0, depth: depth + 1)
                try write(element, depth: depth + 1)
            }
            end("]", isEmpty: elements.isEmpty, depth: depth)
        case .object(let members):
            text += Data("{".utf8)
            for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
                begin(index == 0, depth: depth + 1)
                text += try JSONValue.string(member.key).encoded() + Data((isPretty ? " : " : ":").utf8)
                try write(member.value, depth: depth + 1)
            }
            end("}", isEmpty: members.isEmpty, depth: depth)
        case .null, .bool, .int, .double, .string: text += try value.encoded()
        }
    }

    private mutating func begin(_ isFirst: Bool, depth: Int) {
        if !isFirst { text += Data(",".utf8) }
        if isPretty { text += Data(("\n" + String(repeating: "  ", count: depth)).utf8) }
    }

    private mutating func end(_ bracket: String, isEmpty: Bool, depth: Int) {
        if isPretty, !isEmpty { text += Data(("\n" + String(repeating: "  ", count: depth)).utf8) }
        text += Data(bracket.utf8)
    }
}
