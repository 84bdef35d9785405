import CarillonCore
import Foundation

/// An API key as the store keeps it: with a hash of its secret, but without the secret itself.
package struct APIKeyRecord: Sendable, Hashable {
    /// The public part of the key, which identifies the record.
    package var id: String
    /// A name that tells the operator who uses the key.
    package var name: String
    /// The SHA-256 of the secret part.
    package var secretHash: Data
    package var scopes: Set<APIScope>
    /// The apps that the key may use; empty while the service has no app.
    package var apps: [AppReference]
    package var created: Timestamp
    /// The time from which the service refuses the key; `nil` for never.
    package var expires: Timestamp?
    package var revoked: Timestamp?
    /// The last stored time at which a caller used the key; `nil` if no use is stored.
    ///
    /// The service stores the times of uses only every ``ServiceLimits/keyUseInterval``.
    package var lastUsed: Timestamp?
}

/// A permission that an API key gives to its caller.
package enum APIScope: String, Sendable, Hashable, CaseIterable, Codable {
    /// The permission to send, replace, pause, cancel and recall messages, and to mark them as read.
    case send
    /// The permission to read messages, timelines and reports.
    case read
    /// The permission to sign users out on one or all installations, to erase users, and to delete or import installations.
    case users
    /// All permissions.
    case admin
}
