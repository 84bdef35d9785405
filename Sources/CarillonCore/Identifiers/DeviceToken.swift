import Foundation

/// An APNs device token: opaque bytes of **any** length, written in lower-case hexadecimal.
///
/// Apple: "the device token has variable length; do not hard-code its size"
/// ([Registering your app](https://developer.apple.com/documentation/usernotifications/registering-your-app-with-apns)).
/// Carillon bounds it at 256 bytes, so that a request cannot fill a table with it.
public struct DeviceToken: Sendable, Hashable {
    public static let byteLimit = 256

    /// Lower-case hexadecimal, two characters a byte.
    public let hex: String

    public init?(hex: String) {
        let lowered = hex.lowercased()
        guard !lowered.isEmpty, lowered.utf8.count.isMultiple(of: 2), lowered.utf8.count <= Self.byteLimit * 2,
            lowered.utf8.allSatisfy(Self.isHexDigit)
        else { return nil }
        self.hex = lowered
    }

    /// The token as UIKit hands it to the app; `nil` for no bytes or more than 256.
    public init?(_ data: Data) {
        guard !data.isEmpty, data.count <= Self.byteLimit else { return nil }
        hex = data.hexadecimal
    }

    public var data: Data { Data(hexadecimal: hex) ?? Data() }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
}

/// A token is never logged in full: what is printed is enough to recognise it by and too little to send with.
extension DeviceToken: CustomStringConvertible, CustomDebugStringConvertible {
    public var description: String { "\(hex.prefix(6))…" }
    public var debugDescription: String { description }
}

extension DeviceToken: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let token = DeviceToken(hex: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "a device token is 1–\(Self.byteLimit) bytes in hexadecimal")
        }
        self = token
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(hex)
    }
}

extension Data {
    /// Lower-case hexadecimal, two characters a byte.
    public var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// The bytes that `hexadecimal` (either case) writes; `nil` for an odd count or another character.
    public init?(hexadecimal: String) {
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
