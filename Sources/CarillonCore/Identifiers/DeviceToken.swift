import Foundation

/// An APNs device token: opaque bytes of **any** length, written in lower-case hexadecimal.
///
/// Apple: "the device token has variable length; do not hard-code its size" ([Registering your
/// app](https://developer.apple.com/documentation/usernotifications/registering-your-app-with-apns)). Carillon accepts at most
/// 256 bytes, so that no request can fill a database table with a huge token.
public struct DeviceToken: Sendable, Hashable {
    /// The greatest size of a token, in bytes: 256.
    public static let byteLimit = 256

    /// The token in lower-case hexadecimal, two characters a byte.
    public let hex: String

    /// Reads a token from text; `nil` if the text is not hexadecimal, has an odd number of digits, is empty, or has more than
    /// 256 bytes.
    ///
    /// - Parameter hex: hexadecimal digits in upper or lower case, without spaces or brackets.
    public init?(hex: String) {
        // The tokens that the service stores are in lower case.
        let isLowerCase = hex.utf8.withContiguousStorageIfAvailable { $0.allSatisfy(Self.isHexDigit) } ?? false
        let lowered = isLowerCase ? hex : hex.lowercased()
        guard !lowered.isEmpty, lowered.utf8.count.isMultiple(of: 2), lowered.utf8.count <= Self.byteLimit * 2,
            isLowerCase || lowered.utf8.allSatisfy(Self.isHexDigit)
        else { return nil }
        self.hex = lowered
    }

    /// Makes a token from the data that UIKit passes to the app; `nil` if the data is empty or has more than 256 bytes.
    ///
    /// - Parameter data: the argument of
    ///   [application(_:didRegisterForRemoteNotificationsWithDeviceToken:)](https://developer.apple.com/documentation/uikit/uiapplicationdelegate/application(_:didregisterforremotenotificationswithdevicetoken:)).
    public init?(_ data: Data) {
        guard !data.isEmpty, data.count <= Self.byteLimit else { return nil }
        hex = data.hexadecimal
    }

    /// The token's bytes.
    public var data: Data { Data(hexadecimal: hex) ?? Data() }

    /// The last eight digits, which identify the token in the service's answers; the whole token if it is shorter.
    package var end: String { String(hex.suffix(8)) }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
        default: false
        }
    }
}

/// Prints only a part of the token: enough to recognise the token, but too little to send a push.
extension DeviceToken: CustomStringConvertible, CustomDebugStringConvertible {
    /// The first six digits and an ellipsis.
    public var description: String { "\(hex.prefix(6))…" }
    /// The first six digits and an ellipsis, because a debugger's output may end up in a log.
    public var debugDescription: String { description }
}

extension DeviceToken: Codable {
    /// Reads a single string of hexadecimal digits.
    ///
    /// - Parameter decoder: the decoder to read from.
    /// - Throws: `DecodingError` if the text is not a device token.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let token = DeviceToken(hex: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "a device token is 1–\(Self.byteLimit) bytes in hexadecimal")
        }
        self = token
    }

    /// Writes ``hex`` as a single string.
    ///
    /// - Parameter encoder: the encoder to write to.
    /// - Throws: any error of the encoder.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(hex)
    }
}

/// Apple's two environments of device tokens.
///
/// The app reports the environment with each token.
public enum APNsEnvironment: String, Sendable, Hashable, CaseIterable, Codable {
    /// The environment of apps from the App Store, TestFlight or an enterprise.
    case production
    /// The environment of apps that Xcode has installed.
    case sandbox
}

extension Data {
    /// The data in lower-case hexadecimal, two characters a byte.
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

    /// Reads hexadecimal digits in upper or lower case; `nil` for an odd number of digits, and for any other character.
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
