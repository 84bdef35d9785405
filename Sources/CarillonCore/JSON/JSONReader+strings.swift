/// Reads strings and their escape sequences.
extension JSONReader {
    mutating func string() throws(JSONSyntaxError) -> String {
        index += 1
        let first = try piece()
        if take(UInt8(ascii: "\"")) { return first }
        var text = first
        while !take(UInt8(ascii: "\"")) {
            index += 1
            text.unicodeScalars.append(try escaped())
            text += try piece()
        }
        return text
    }

    /// Reads the text up to the next quote or backslash.
    private mutating func piece() throws(JSONSyntaxError) -> String {
        let start = index
        var isASCII = true
        while let byte = peek, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
            guard byte >= 0x20 else { throw unexpected("a character that a string may have unescaped") }
            if byte >= 0x80 { isASCII = false }
            index += 1
        }
        guard index < bytes.count else { throw unexpected("the end of a string") }
        let piece = bytes(from: start)
        if isASCII { return String(decoding: piece, as: UTF8.self) }
        guard let text = String(validating: piece, as: UTF8.self) else {
            throw JSONSyntaxError(description: "not valid JSON: no UTF-8 in the string at byte \(start)")
        }
        return text
    }

    /// Reads the character that follows a backslash.
    private mutating func escaped() throws(JSONSyntaxError) -> Unicode.Scalar {
        let byte = peek
        index += 1
        switch byte {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{c}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try escapedScalar()
        default:
            index -= 1
            throw unexpected("an escaped character")
        }
    }

    /// Reads the rest of an escape sequence after `\u`: four digits, or for a surrogate pair also a second escape
    /// sequence.
    private mutating func escapedScalar() throws(JSONSyntaxError) -> Unicode.Scalar {
        let place = index
        let first = try unit()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard UTF16.isLeadSurrogate(first), take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
            throw JSONSyntaxError(description: "not valid JSON: half of a surrogate pair at byte \(place)")
        }
        let second = try unit()
        guard UTF16.isTrailSurrogate(second),
            let scalar = Unicode.Scalar(0x10000 + (UInt32(first & 0x3FF) << 10 | UInt32(second & 0x3FF)))
        else { throw JSONSyntaxError(description: "not valid JSON: half of a surrogate pair at byte \(place)") }
        return scalar
    }

    private mutating func unit() throws(JSONSyntaxError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = peek, let digit = Self.hexadecimal(byte) else { throw unexpected("a hexadecimal digit") }
            unit = unit << 4 | UInt16(digit)
            index += 1
        }
        return unit
    }

    private static func hexadecimal(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
