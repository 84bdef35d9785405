import Foundation

/// Finds a comma before the end of an object or an array, which JSON does not have
/// ([RFC 8259 §4, §5](https://www.rfc-editor.org/rfc/rfc8259#section-4)).
///
/// Foundation on Linux reads over it, and so a payload would seem right here that APNs refuses.
enum TrailingComma {
    private static let quote = UInt8(ascii: "\"")
    private static let backslash = UInt8(ascii: "\\")

    /// Whether there is such a comma.
    ///
    /// - Parameter json: what Foundation has read; of anything else nothing is claimed.
    /// - Returns: `true` for a text that APNs refuses.
    static func isIn(_ json: Data) -> Bool {
        json.withUnsafeBytes { bytes in
            var isInText = false
            var isEscaped = false
            var isAfterComma = false
            for byte in bytes {
                if isInText {
                    isInText = isEscaped || byte != quote
                    isEscaped = !isEscaped && byte == backslash
                    continue
                }
                switch byte {
                case UInt8(ascii: "]"), UInt8(ascii: "}"): if isAfterComma { return true }
                case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): break
                default:
                    isInText = byte == quote
                    isAfterComma = byte == UInt8(ascii: ",")
                }
            }
            return false
        }
    }
}
