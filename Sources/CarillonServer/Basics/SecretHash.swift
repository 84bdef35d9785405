import Crypto
import Foundation

/// Hashes and compares secrets.
///
/// Secrets are random and long, so a plain SHA-256 suffices.
enum SecretHash {
    static func of(_ secret: String) -> Data { Data(SHA256.hash(data: Data(secret.utf8))) }

    /// Compares two hashes in a time that does not depend on their contents, so that timing reveals nothing.
    static func isEqual(_ left: Data, _ right: Data) -> Bool {
        guard left.count == right.count else { return false }
        return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
