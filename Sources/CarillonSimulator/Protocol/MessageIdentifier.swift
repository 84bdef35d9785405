import Foundation

/// The syntax of `apns-id`.
///
/// Apple: "32 lowercase hexadecimal digits, displayed in five groups separated by hyphens in the form 8-4-4-4-12". Like APNs,
/// the simulator accepts upper case too, and returns the id as received.
enum MessageIdentifier {
    private static let length = 36

    static func isWellFormed(_ text: String) -> Bool {
        guard text.utf8.count == length else { return false }
        return text.utf8.enumerated().allSatisfy { index, byte in
            isHyphenPlace(index) ? byte == UInt8(ascii: "-") : isHexadecimal(byte)
        }
    }

    private static func isHyphenPlace(_ index: Int) -> Bool { index == 8 || index == 13 || index == 18 || index == 23 }

    /// Makes a random id (version 4), as APNs does for a request without one.
    static func make(using generator: inout some RandomNumberGenerator) -> UUID {
        let (high, low) = (generator.next() as UInt64, generator.next() as UInt64)
        func byte(_ word: UInt64, _ index: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: word >> (56 - index * 8)) }
        return UUID(
            uuid: (
                byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3), byte(high, 4), byte(high, 5),
                byte(high, 6) & 0x0F | 0x40, byte(high, 7),
                byte(low, 0) & 0x3F | 0x80, byte(low, 1), byte(low, 2), byte(low, 3), byte(low, 4), byte(low, 5),
                byte(low, 6), byte(low, 7)
            ))
    }

    /// Returns the text of an id in the usual form, 8-4-4-4-12.
    ///
    /// Foundation's method uses a format string, which is noticeably slow for every answer.
    static func text(of id: UUID, uppercase: Bool) -> String {
        let digits: StaticString = uppercase ? "0123456789ABCDEF" : "0123456789abcdef"
        return withUnsafeBytes(of: id.uuid) { bytes in
            String(unsafeUninitializedCapacity: length) { text in
                var position = 0
                for byte in bytes {
                    if isHyphenPlace(position) {
                        text[position] = UInt8(ascii: "-")
                        position += 1
                    }
                    text[position] = digits.utf8Start[Int(byte >> 4)]
                    text[position + 1] = digits.utf8Start[Int(byte & 0xF)]
                    position += 2
                }
                return position
            }
        }
    }

    static func isHexadecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}
