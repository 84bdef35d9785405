import Foundation

/// Decodes Base64 with the URL alphabet and without padding ([RFC 4648 §5](https://www.rfc-editor.org/rfc/rfc4648#section-5)).
///
/// Each part of a provider token is encoded in this form.
enum Base64URL {
    /// Decodes a text.
    ///
    /// - Returns: the bytes; `nil` if the text has characters outside the alphabet, including padding.
    static func decode(_ text: Substring) -> Data? {
        guard text.utf8.allSatisfy(isInAlphabet) else { return nil }
        var standard = String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
        standard += String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4)
        return Data(base64Encoded: standard)
    }

    private static func isInAlphabet(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
