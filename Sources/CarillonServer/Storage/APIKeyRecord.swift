import CarillonCore
import Foundation

/// An API key's record, which never contains the key itself.
package struct APIKeyRecord: Sendable, Hashable {
    /// The public part of the key, which finds the record.
    package var id: String
    /// The name of the key's owner, for people.
    package var name: String
    /// The SHA-256 of the secret part.
    package var secretHash: Data
    package var scopes: Set<APIScope>
    /// The apps that the key is for; none while the service has no app yet.
    package var apps: [AppReference]
    package var created: Timestamp
    package var revoked: Timestamp?
}
