/// A text with variables, such as `Hello {{name}}`.
///
/// Two opening braces begin a variable. A backslash before the two braces makes them ordinary text. A single brace is ordinary
/// text. A variable may have a default, as in `Hello {{name|there}}`, which stands for a value that is missing or empty.
package struct TextTemplate: Sendable, Hashable {
    /// The greatest length of a variable's name, in bytes; a text with a longer name is no valid template.
    static let nameBytes = 64

    private enum Piece: Hashable {
        case text(String)
        case variable(String, default: String?)
    }

    private let pieces: [Piece]

    /// Parses a template.
    ///
    /// - Throws: ``InvalidTextTemplate`` for braces that contain no valid name.
    package init(_ text: String) throws(InvalidTextTemplate) {
        guard text.utf8.contains(UInt8(ascii: "{")) else {
            // Most texts have no braces.
            pieces = [.text(text)]
            return
        }
        var pieces: [Piece] = []
        var plain: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let brace = rest.first {
            if rest.starts(with: Self.escaped) {
                plain += Self.opening
                rest = rest.dropFirst(Self.escaped.count)
            } else if rest.starts(with: Self.opening) {
                let name = try Self.name(rest.dropFirst(Self.opening.count))
                if !plain.isEmpty { pieces.append(.text(String(decoding: plain, as: UTF8.self))) }
                plain = []
                pieces.append(.variable(name.text, default: name.fallback))
                rest = name.rest
            } else {
                plain.append(brace)
                rest = rest.dropFirst()
            }
        }
        if !plain.isEmpty || pieces.isEmpty { pieces.append(.text(String(decoding: plain, as: UTF8.self))) }
        self.pieces = pieces
    }

    /// The names of the variables that have no default and so need a value, in the order in which they appear.
    package var needed: [String] {
        pieces.compactMap { if case .variable(let name, nil) = $0 { name } else { nil } }
    }

    /// The names of all variables, in the order in which they appear.
    package var variables: [String] {
        pieces.compactMap { if case .variable(let name, _) = $0 { name } else { nil } }
    }

    /// Returns the text with its variables replaced by values.
    ///
    /// A variable without a value, or with an empty one, becomes its default, which is empty if it has none.
    package func filled(with values: [String: String]) -> String {
        pieces.map { piece in
            switch piece {
            case .text(let text): text
            case .variable(let name, let fallback): values[name].flatMap { $0.isEmpty ? nil : $0 } ?? fallback ?? ""
            }
        }.joined()
    }

    /// Returns whether a text is a valid name for a variable.
    ///
    /// A name consists of ASCII letters, digits, `_`, `-` and `.`, and begins with a letter or `_`.
    static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, text.utf8.count <= nameBytes else { return false }
        let isLetter = { (byte: UInt8) in (65...90).contains(byte) || (97...122).contains(byte) || byte == 95 }
        return isLetter(first)
            && text.utf8.allSatisfy { isLetter($0) || (48...57).contains($0) || $0 == 45 || $0 == 46 }
    }

    private static let opening = Array("{{".utf8)
    private static let closing = Array("}}".utf8)
    private static let escaped = Array("\\{{".utf8)

    /// Returns a text as a template that has no variables and, when filled, is this text.
    ///
    /// It looks at bytes, as the parser does: a brace may be a part of a character with several code points.
    static func literal(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "{")) else { return text }
        var (bytes, rest): ([UInt8], ArraySlice<UInt8>) = ([], Array(text.utf8)[...])
        while let byte = rest.first {
            if rest.starts(with: opening) {
                bytes += escaped
                rest = rest.dropFirst(opening.count)
            } else {
                bytes.append(byte)
                rest = rest.dropFirst()
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func name(_ rest: ArraySlice<UInt8>) throws(InvalidTextTemplate) -> (
        text: String, fallback: String?, rest: ArraySlice<UInt8>
    ) {
        let end = rest.indices.first { rest[$0...].starts(with: closing) }
        let inside = String(decoding: rest[..<(end ?? rest.endIndex)], as: UTF8.self)
        let parts = inside.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
        let name = (parts.first ?? "").trimmingPrefix { $0 == " " }
        let text = String(name.reversed().drop { $0 == " " }.reversed())
        guard let end, isName(text) else {
            throw InvalidTextTemplate(quoted: "{{\(inside)\(end == nil ? "" : "}}")")
        }
        let fallback = parts.count > 1 ? parts[1].trimmingPrefix { $0 == " " } : nil
        return (
            text, fallback.map { String($0.reversed().drop { $0 == " " }.reversed()) }, rest[(end + closing.count)...]
        )
    }
}
