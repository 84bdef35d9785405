import CarillonCore
import Foundation

extension SeededGenerator {
    /// Returns the next token; equal seeds give equal tokens.
    ///
    /// - Parameter byteCount: 1 to `DeviceToken.byteLimit`; brought into that range.
    /// - Returns: a token of random bytes.
    mutating func deviceToken(byteCount: Int) -> DeviceToken {
        let count = min(max(byteCount, 1), DeviceToken.byteLimit)
        while true {
            let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &self) }
            if let token = DeviceToken(Data(bytes)) { return token }
        }
    }
}
