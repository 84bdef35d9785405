import CarillonCore
import Foundation

/// The installation's identity to the service; made once, and kept as long as the app is installed.
package struct InstallationIdentity: Sendable, Hashable, Codable {
    /// 16 random bytes in hexadecimal.
    package let installation: String
    /// 32 random bytes in hexadecimal; the service keeps only a hash of it.
    let secret: String

    /// The phone's `identifierForVendor` when this was made; `nil` where it was not known.
    ///
    /// Another one now means that a backup has brought this file to a second phone.
    private(set) var vendor: String?

    /// - Parameters:
    ///   - randomness: for id and secret.
    ///   - vendor: `UIDevice.identifierForVendor`, if it is known.
    package init(using randomness: inout some RandomNumberGenerator, vendor: String? = nil) {
        self.vendor = vendor
        installation = Self.hexadecimal(byteCount: 16, using: &randomness)
        secret = Self.hexadecimal(byteCount: 32, using: &randomness)
    }

    /// Whether this was made on another phone.
    package func isFromAnotherPhone(than vendor: String?) -> Bool {
        guard let vendor, let own = self.vendor else { return false }
        return own != vendor
    }

    /// The value of the header `Authorization`.
    var authorization: String { "Bearer \(installation):\(secret)" }

    /// Random bytes, two lower-case characters each.
    package static func hexadecimal(byteCount: Int, using randomness: inout some RandomNumberGenerator) -> String {
        Data((0..<byteCount).map { _ in UInt8.random(in: .min ... .max, using: &randomness) }).hexadecimal
    }
}
