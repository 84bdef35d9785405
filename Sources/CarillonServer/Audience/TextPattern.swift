/// A text, or how it begins.
package struct TextPattern: Sendable, Hashable {
    /// The text without the asterisk.
    package let text: String
    /// Whether anything may follow.
    package let isPrefix: Bool

    package func matches(_ other: String) -> Bool {
        // As bytes: to Swift's strings an é and an e with an accent are one, and to the database they are not.
        isPrefix ? other.utf8.starts(with: text.utf8) : other.utf8.elementsEqual(text.utf8)
    }
}

extension TextPattern: CustomStringConvertible {
    /// As it is written in an expression: in quotation marks where it could be misread.
    package var description: String {
        let isPlain = !text.isEmpty && text.allSatisfy(AudienceParser.isPlain)
        let quoted = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return (isPlain ? text : "\"\(quoted)\"") + (isPrefix ? "*" : "")
    }
}
