import CarillonCore
import Foundation

/// A key for the sign-in tokens with which an app's backend signs its users in.
///
/// The header `kid` of a token names its key. An app may have two valid keys at once, so that its backend can change to a new key
/// without any token being refused.
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
