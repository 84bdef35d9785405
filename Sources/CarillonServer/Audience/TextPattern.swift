/// A whole text, such as `vip`, or the beginning of texts, such as `de*`, with which a property is compared.
package struct TextPattern: Sendable, Hashable {
    /// The text without the trailing asterisk.
    package let text: String
    /// Whether the pattern matches every text that begins with ``text``.
    package let isPrefix: Bool

    package func matches(_ other: String) -> Bool {
        // Texts are compared as bytes, as in the database. Swift treats composed and decomposed é as equal.
        isPrefix ? other.utf8.starts(with: text.utf8) : other.utf8.elementsEqual(text.utf8)
    }
}

extension TextPattern: CustomStringConvertible {
    /// The pattern in the spelling of an expression, in quotation marks if it could be misread.
    package var description: String {
        let isPlain = !text.isEmpty && text.allSatisfy(AudienceParser.isPlain)
        let quoted = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return (isPlain ? text : "\"\(quoted)\"") + (isPrefix ? "*" : "")
    }
}
