import Foundation
import NIOCore

extension UUID {
    /// The UUID in lower case, as Apple asks for it, without Foundation's detour over upper case and a `String`.
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

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
