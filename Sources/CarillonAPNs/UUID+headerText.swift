import Foundation
import NIOCore

extension UUID {
    /// Writes the UUID in lower case, as Apple requires.
    ///
    /// This method is faster than Foundation's conversion, which makes an upper-case `String`.
    func writeHeaderText(into buffer: inout ByteBuffer) {
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: 36) { text in
            withUnsafeBytes(of: uuid) { bytes in
                var place = 0
                for index in 0..<16 {
                    if index == 4 || index == 6 || index == 8 || index == 10 {
                        text[place] = UInt8(ascii: "-")
                        place += 1
                    }
                    text[place] = Self.hexDigit(bytes[index] >> 4)
                    text[place + 1] = Self.hexDigit(bytes[index] & 15)
                    place += 2
                }
            }
            return 36
        }
    }

    /// Parses a UUID of 36 characters, in upper or lower case; returns `nil` for any other text.
    ///
    /// Every answer has a UUID, and Foundation's own parser is slow because it uses the C library's `sscanf`.
    init?(headerText text: String) {
        var text = text
        let parsed = text.withUTF8 { text -> uuid_t? in
            guard text.count == 36 else { return nil }
            var uuid = UUID.zero.uuid
            let isComplete = withUnsafeMutableBytes(of: &uuid) { Self.read(text, into: $0) }
            return isComplete ? uuid : nil
        }
        guard let parsed else { return nil }
        self.init(uuid: parsed)
    }

    private static func read(
        _ text: UnsafeBufferPointer<UInt8>, into bytes: UnsafeMutableRawBufferPointer
    ) -> Bool {
        var place = 0
        for index in 0..<16 {
            if index == 4 || index == 6 || index == 8 || index == 10 {
                guard text[place] == UInt8(ascii: "-") else { return false }
                place += 1
            }
            guard let high = value(ofHexDigit: text[place]), let low = value(ofHexDigit: text[place + 1]) else {
                return false
            }
            bytes[index] = high << 4 | low
            place += 2
        }
        return true
    }

    private static func value(ofHexDigit digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    private static let zero = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
