import CarillonCore
import Foundation

/// A key with which an app's backend signs sign-in tokens; a token names it in `kid`.
///
/// Two keys may be live at once, so that one can replace the other without refusing any token.
package struct SignInKey: Sendable, Hashable {
    package enum Algorithm: String, Sendable, Hashable, CaseIterable {
        /// A secret that backend and service share.
        case hs256 = "HS256"
        /// ECDSA with P-256: the service has the public key only.
        case es256 = "ES256"
    }

    /// The value of `kid`.
    package var id: String
    package var app: AppNumber
    package var algorithm: Algorithm
    /// The shared secret, or the public key in X9.63 form.
    package var key: Data
    package var created: Timestamp
    package var revoked: Timestamp?
}
