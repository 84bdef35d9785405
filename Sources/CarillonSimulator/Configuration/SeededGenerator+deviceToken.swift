import CarillonCore
import Foundation

extension SeededGenerator {
    /// Returns the next random device token.
    ///
    /// Equal seeds give equal tokens.
    ///
    /// - Parameter byteCount: the token's length in bytes. A number outside the range from 1 to `DeviceToken.byteLimit` is
    ///   replaced by the nearer end of that range.
    /// - Returns: the token.
    mutating func deviceToken(byteCount: Int) -> DeviceToken {
        let count = min(max(byteCount, 1), DeviceToken.byteLimit)
        while true {
            let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &self) }
            if let token = DeviceToken(Data(bytes)) { return token }
        }
    }
}
