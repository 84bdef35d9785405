import Foundation

extension Data {
    /// Lower-case hexadecimal, two characters a byte.
    package var hexadecimal: String {
        String(unsafeUninitializedCapacity: 2 * count) { characters in
            func digit(_ value: UInt8) -> UInt8 {
                value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
            }
            for (index, byte) in enumerated() {
                characters[2 * index] = digit(byte >> 4)
                characters[2 * index + 1] = digit(byte & 15)
            }
            return 2 * count
        }
    }

    /// Reads hexadecimal digits of either case; `nil` for an odd count or another character.
    ///
    /// - Parameter hexadecimal: two digits a byte.
    package init?(hexadecimal: String) {
        let digits = Array(hexadecimal.utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        self.init(capacity: digits.count / 2)
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = Character(UnicodeScalar(digits[index])).hexDigitValue,
                let low = Character(UnicodeScalar(digits[index + 1])).hexDigitValue
            else { return nil }
            append(UInt8(high << 4 | low))
        }
    }
}
