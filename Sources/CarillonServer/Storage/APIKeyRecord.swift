import CarillonCore
import Foundation

/// An API key as it is kept: never the key itself.
package struct APIKeyRecord: Sendable, Hashable {
    /// The public part, which finds the record.
    package var id: String
    /// For people: whose key it is.
    package var name: String
    /// SHA-256 of the secret part.
    package var secretHash: Data
    package var scopes: Set<APIScope>
    /// The apps it is for; none while the service has no app yet.
    package var apps: [AppReference]
    package var created: Timestamp
    package var revoked: Timestamp?
}
