import CarillonCore
import Foundation

/// A key with which an app's backend signs sign-in tokens.
///
/// The header `kid` of a token names the key. An app may have two valid keys at once, so that a new key can replace the old one
/// without refusing any token.
package struct SignInKey: Sendable, Hashable {
    package enum Algorithm: String, Sendable, Hashable, CaseIterable {
        /// HMAC with SHA-256, with a secret that the backend and the service share.
        case hs256 = "HS256"
        /// ECDSA with P-256.
        ///
        /// The service has only the public key.
        case es256 = "ES256"
    }

    /// The key's id, the value of `kid`.
    package var id: String
    package var app: AppNumber
    package var algorithm: Algorithm
    /// The shared secret, or the public key in X9.63 form.
    package var key: Data
    package var created: Timestamp
    package var revoked: Timestamp?
}
