import Foundation

extension Data {
    /// Lower-case hexadecimal, two characters a byte.
    package var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
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
