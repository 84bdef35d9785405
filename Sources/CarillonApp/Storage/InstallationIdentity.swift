import CarillonCore
import Foundation

/// Who this installation is to the service; made once, and kept as long as the app is installed.
struct InstallationIdentity: Sendable, Hashable, Codable {
    /// 16 random bytes in hexadecimal.
    let installation: String
    /// 32 random bytes in hexadecimal; the service keeps only a hash of it.
    let secret: String

    init(using randomness: inout some RandomNumberGenerator) {
        installation = Self.hexadecimal(byteCount: 16, using: &randomness)
        secret = Self.hexadecimal(byteCount: 32, using: &randomness)
    }

    /// The value of the header `Authorization`.
    var authorization: String { "Bearer \(installation):\(secret)" }

    /// Random bytes, two lower-case characters each.
    static func hexadecimal(byteCount: Int, using randomness: inout some RandomNumberGenerator) -> String {
        Data((0..<byteCount).map { _ in UInt8.random(in: .min ... .max, using: &randomness) }).hexadecimal
    }
}
