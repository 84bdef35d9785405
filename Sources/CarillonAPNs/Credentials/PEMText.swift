import Foundation

/// The PEM blocks found in a text, such as the text of a key file.
///
/// The parser is lenient, because environment variables often change such texts. A block's base64 may be in one line or on
/// the line of its label. An escaped line end, which is an `n` after one or more backslashes, counts as a line end. Other text
/// may surround the blocks.
struct PEMText: Sendable {
    struct Block: Sendable, Hashable {
        /// The words after `BEGIN`, such as `PRIVATE KEY`.
        var label: String
        /// The header lines, such as `Proc-Type: 4,ENCRYPTED` (RFC 1421).
        var headers: [String]
        /// The base64 without white space.
        var base64: String

        /// The bytes of the block; `nil` if part of the base64 is missing or changed.
        var contents: Data? { base64.isEmpty ? nil : Data(base64Encoded: base64) }
        /// Whether a password protects the block.
        var isEncrypted: Bool {
            label.hasPrefix("ENCRYPTED") || headers.contains { $0.firstRange(of: "ENCRYPTED") != nil }
        }
    }

    let blocks: [Block]
    /// The label of a block that begins but does not end; `nil` if there is none.
    let unfinished: String?
    /// Whether there is a BEGIN line whose label or dashes are damaged.
    let hasDamagedLabel: Bool
    private let text: String

    init(_ text: String) {
        // Base64 contains no backslash, so each one belongs to a line end, which may have been escaped more than once.
        let text = text.replacing(/\\+r(?=\\+n)/, with: "").replacing(/\\+n/, with: "\n")
        self.text = text
        var (blocks, unfinished, rest): ([Block], String?, Substring) = ([], nil, text[...])
        var hasDamagedLabel = false
        while let begin = rest.firstRange(of: "-----BEGIN ") {
            let after = rest[begin.upperBound...]
            // The text after a damaged label is the secret itself, which must never be treated as a label.
            guard let match = after.prefixMatch(of: /([A-Z0-9 ]{1,40})-----/) else {
                hasDamagedLabel = true
                rest = after
                continue
            }
            let label = String(match.1)
            let inside = after[match.range.upperBound...]
            guard let end = inside.firstRange(of: "-----END \(label)-----") else {
                unfinished = unfinished ?? label
                rest = inside
                continue
            }
            blocks.append(Self.block(label, inside[..<end.lowerBound]))
            rest = inside[end.upperBound...]
        }
        (self.blocks, self.unfinished, self.hasDamagedLabel) = (blocks, unfinished, hasDamagedLabel)
    }

    private static func block(_ label: String, _ inside: Substring) -> Block {
        let lines = inside.split(whereSeparator: \.isNewline).map(\.trimmed)
        let isHeader = { (line: String) in line.utf8.contains(UInt8(ascii: ":")) }
        let headers = lines.filter(isHeader)
        let base64 = lines.filter { !isHeader($0) }.joined().filter { !$0.isWhitespace }
        return Block(label: label, headers: headers, base64: base64)
    }

    /// The blocks in the strict form that BoringSSL parses, without the text around them; the unchanged text if there are no
    /// blocks.
    var strict: String {
        guard !blocks.isEmpty else { return text }
        return blocks.map { block in
            let headers = block.headers.isEmpty ? "" : block.headers.joined(separator: "\n") + "\n\n"
            var (lines, rest): ([Substring], Substring) = ([], block.base64[...])
            while !rest.isEmpty {
                lines.append(rest.prefix(64))
                rest = rest.dropFirst(64)
            }
            let body = headers + lines.joined(separator: "\n")
            return "-----BEGIN \(block.label)-----\n\(body)\n-----END \(block.label)-----\n"
        }.joined()
    }
}

extension Substring {
    /// The text without white space at its beginning and its end.
    fileprivate var trimmed: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }
}

extension String {
    /// Decodes a PEM file: UTF-8, or the UTF-16 that Windows' editors and PowerShell write.
    package init(pemFile data: Data) {
        let start = Array(data.prefix(2))
        let encoding: Encoding? =
            switch (start.first, start.last) {
            case (0xFF, 0xFE), (0xFE, 0xFF): .utf16
            // A PEM file begins with ASCII.
            case (let first?, 0) where start.count == 2 && (1..<0x80).contains(first): .utf16LittleEndian
            case (0, let second?) where start.count == 2 && (1..<0x80).contains(second): .utf16BigEndian
            default: nil
            }
        self = encoding.flatMap { String(data: data, encoding: $0) } ?? String(decoding: data, as: UTF8.self)
    }
}
