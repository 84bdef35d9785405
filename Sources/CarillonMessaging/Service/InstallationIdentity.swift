import CarillonCore
import Foundation

/// The installation's identity at the service; made once, and kept while the app is installed.
package struct InstallationIdentity: Sendable, Hashable, Codable {
    /// The installation's id: 16 random bytes in hexadecimal.
    package let installation: String
    /// The secret with which the installation authenticates: 32 random bytes in hexadecimal; the service keeps only a hash.
    let secret: String

    /// The phone's `identifierForVendor` when the identity was made; `nil` if it was unknown.
    ///
    /// If the phone now has another `identifierForVendor`, a backup has copied this identity to another phone.
    private(set) var vendor: String?

    /// Creates a new identity with a random id and a random secret.
    ///
    /// - Parameters:
    ///   - randomness: the generator of the random bytes.
    ///   - vendor: `UIDevice.identifierForVendor`, if it is known.
    package init(using randomness: inout some RandomNumberGenerator, vendor: String? = nil) {
        self.vendor = vendor
        installation = Self.hexadecimal(byteCount: 16, using: &randomness)
        secret = Self.hexadecimal(byteCount: 32, using: &randomness)
    }

    /// Returns whether this identity was made on another phone.
    ///
    /// - Parameter vendor: this phone's `UIDevice.identifierForVendor`; `nil` if it is unknown.
    /// - Returns: `false` also if the identifier is unknown now, or was unknown when the identity was made.
    package func isFromAnotherPhone(than vendor: String?) -> Bool {
        guard let vendor, let own = self.vendor else { return false }
        return own != vendor
    }

    /// The value of the header `Authorization`.
    var authorization: String { "Bearer \(installation):\(secret)" }

    /// Returns random bytes in lower-case hexadecimal, two characters for each byte.
    package static func hexadecimal(byteCount: Int, using randomness: inout some RandomNumberGenerator) -> String {
        Data((0..<byteCount).map { _ in UInt8.random(in: .min ... .max, using: &randomness) }).hexadecimal
    }
}
