import CarillonCore
import Foundation

/// What a caller may do.
public enum APIScope: String, Sendable, Hashable, CaseIterable, Codable {
    /// Accept, replace and recall messages; mark as read.
    case send
    /// Ask about messages.
    case read
    /// Everything.
    case admin
}

/// An API key as it is kept: never the key itself.
public struct APIKeyRecord: Sendable, Hashable {
    /// The public part, which finds the record.
    public var id: String
    /// For people: whose key it is.
    public var name: String
    /// SHA-256 of the secret part.
    public var secretHash: Data
    public var scopes: Set<APIScope>
    public var created: Timestamp
    public var revoked: Timestamp?

    public init(
        id: String, name: String, secretHash: Data, scopes: Set<APIScope>, created: Timestamp, revoked: Timestamp? = nil
    ) {
        self.id = id
        self.name = name
        self.secretHash = secretHash
        self.scopes = scopes
        self.created = created
        self.revoked = revoked
    }
}
