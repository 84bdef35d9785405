/// A text to match exactly, or as a prefix.
package struct TextPattern: Sendable, Hashable {
    /// The text without the asterisk.
    package let text: String
    /// Whether the text is a prefix, after which anything may follow.
    package let isPrefix: Bool

    package func matches(_ other: String) -> Bool {
        // Texts are compared as bytes: Swift's strings hold é in one code point and in two equal, but the database does not.
        isPrefix ? other.utf8.starts(with: text.utf8) : other.utf8.elementsEqual(text.utf8)
    }
}

extension TextPattern: CustomStringConvertible {
    /// The pattern as it is written in an expression, in quotation marks if it could be misread.
    package var description: String {
        let isPlain = !text.isEmpty && text.allSatisfy(AudienceParser.isPlain)
        let quoted = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return (isPlain ? text : "\"\(quoted)\"") + (isPrefix ? "*" : "")
    }
}
