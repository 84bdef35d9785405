import Foundation

/// The checks of a JSON text before its decoding, each in one pass over the text's bytes.
package enum JSONText {
    /// Refuses a text that is nested too deeply, because decoding it would take too much time.
    ///
    /// This method does not check whether the text is JSON at all; the decoder does.
    ///
    /// - Parameters:
    ///   - data: the text.
    ///   - depth: the deepest allowed nesting of objects and arrays.
    /// - Throws: ``JSONSyntaxError`` with the position.
    package static func checkDepth(_ data: Data, atMost depth: Int) throws {
        var open = 0
        var scanner = Scanner(data)
        while let (byte, place) = scanner.nextOutsideStrings() {
            switch byte {
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                open += 1
                guard open <= depth else {
                    throw JSONSyntaxError(
                        description: "not accepted: nested more than \(depth) levels deep, at byte \(place)")
                }
            case UInt8(ascii: "]"), UInt8(ascii: "}"): open -= 1
            default: break
            }
        }
    }

    /// Refuses a text that is not UTF-8.
    ///
    /// Decoders also accept UTF-16 and UTF-32, which the other checks would misread ([RFC 8259, section
    /// 8.1](https://www.rfc-editor.org/rfc/rfc8259#section-8.1) allows UTF-8 only).
    ///
    /// - Parameter data: the text.
    /// - Throws: ``JSONSyntaxError``.
    package static func checkEncoding(_ data: Data) throws {
        guard !data.contains(0), String(validating: data, as: UTF8.self) != nil else {
            throw JSONSyntaxError(description: "not accepted: JSON is sent in UTF-8")
        }
    }

    /// Refuses strings with the character NUL or with half of a surrogate pair.
    ///
    /// People do not write such strings, and other systems store them differently or not at all.
    ///
    /// - Parameter data: the text.
    /// - Throws: ``JSONSyntaxError`` with the position.
    package static func checkStrings(_ data: Data) throws {
        // Only an escape sequence can name them.
        guard data.contains(UInt8(ascii: "\\")) else { return }
        var isHighPending = false
        var scanner = Scanner(data)
        while let (unit, place) = scanner.nextStringUnit() {
            let isLow = unit.map { (0xdc00...0xdfff).contains($0) } ?? false
            guard isHighPending == isLow else {
                throw JSONSyntaxError(description: "not accepted: half of a surrogate pair before byte \(place)")
            }
            guard unit != 0 else {
                throw JSONSyntaxError(description: "not accepted: the character NUL (\\u0000) at byte \(place)")
            }
            isHighPending = unit.map { (0xd800...0xdbff).contains($0) } ?? false
        }
    }

    private struct Scanner {
        private let bytes: [UInt8]
        private var index = 0
        private var isInString = false

        init(_ data: Data) { bytes = [UInt8](data) }

        /// Returns the next byte that is not within a string, and its index; `nil` at the end of the text.
        mutating func nextOutsideStrings() -> (UInt8, place: Int)? {
            while index < bytes.count {
                let (byte, place) = (bytes[index], index)
                index += 1
                if isInString {
                    if byte == UInt8(ascii: "\\") { index += 1 }
                    if byte == UInt8(ascii: "\"") { isInString = false }
                } else if byte == UInt8(ascii: "\"") {
                    isInString = true
                } else {
                    return (byte, place)
                }
            }
            return nil
        }

        /// Advances to the next part of a string: a character, an escape sequence or the closing quote.
        ///
        /// - Returns: `nil` at the end of the text, and otherwise two values. The first is the number in an escape sequence
        ///   that begins with `\u`; it is `nil` for every other part. `place` is the index of the part's first byte.
        mutating func nextStringUnit() -> (UInt16?, place: Int)? {
            while index < bytes.count {
                let (byte, place) = (bytes[index], index)
                index += 1
                guard isInString else {
                    isInString = byte == UInt8(ascii: "\"")
                    continue
                }
                if byte == UInt8(ascii: "\"") { isInString = false }
                guard byte == UInt8(ascii: "\\") else { return (nil, place) }
                let isUnit = index < bytes.count && bytes[index] == UInt8(ascii: "u")
                index += 1
                guard isUnit, index + 4 <= bytes.count else { return (nil, place) }
                let digits = String(decoding: bytes[index..<index + 4], as: UTF8.self)
                index += 4
                return (UInt16(digits, radix: 16), place)
            }
            return nil
        }
    }
}
