/// Reads the header `Forwarded` ([RFC 7239](https://www.rfc-editor.org/rfc/rfc7239)).
enum ForwardedHeader {
    /// Returns the `for` parameter of each element, in the order of the header.
    ///
    /// An element without that parameter gives `unknown`, as a proxy writes that keeps its client to itself (§6.2).
    static func clients(in value: String) -> [String] {
        split(value, at: ",").filter { !$0.allSatisfy(\.isWhitespace) }.map { element in
            for pair in split(element, at: ";") {
                let parts = pair.split(separator: "=", maxSplits: 1)
                guard parts.count == 2, trimmed(parts[0]).lowercased() == "for" else { continue }
                return unquoted(trimmed(parts[1]))
            }
            return "unknown"
        }
    }

    /// Splits a text at a separator, except inside quotation marks.
    private static func split(_ text: String, at separator: Character) -> [String] {
        var (parts, isQuoted, isEscaped) = ([""], false, false)
        for character in text {
            if character == separator, !isQuoted {
                parts.append("")
                continue
            }
            if character == "\"", !isEscaped { isQuoted.toggle() }
            isEscaped = isQuoted && character == "\\" && !isEscaped
            parts[parts.count - 1].append(character)
        }
        return parts
    }

    private static func trimmed(_ text: Substring) -> String {
        String(text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }

    /// Returns the text inside quotation marks; a text without them is returned unchanged.
    private static func unquoted(_ text: String) -> String {
        guard text.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return text }
        return String(text.dropFirst().dropLast().replacing("\\", with: ""))
    }
}
