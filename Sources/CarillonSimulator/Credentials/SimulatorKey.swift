import CarillonCore

/// A signing key that the simulated Apple account knows, as Apple knows that of an `AuthKey_<key id>.p8`.
public struct SimulatorKey: Sendable {
    /// The key's id, ten characters: `kid` in a token's header.
    public var keyID: String
    /// The team's id, ten characters: `iss` in a token's claims.
    public var teamID: String
    /// The public key, PEM; the private one stays with the sender.
    public var publicKeyPEM: String
    /// The bundle ids for which a topic-specific key may send; `nil` for a team-scoped key, which may use them all.
    public var topics: Set<String>?
    /// The environments in which the key is valid; elsewhere senders get BadEnvironmentKeyInToken.
    public var environments: Set<APNsEnvironment>
    /// The one other key whose tokens may share a connection with this one's, if there is one.
    ///
    /// "A topic-specific key can have at most one related key in the same environment"
    /// ([Establishing a token-based connection](https://developer.apple.com/documentation/usernotifications/establishing-a-token-based-connection-to-apns)).
    public var relatedKeyID: String?

    /// Makes a key, by default team-scoped and for both environments.
    public init(
        keyID: String, teamID: String, publicKeyPEM: String, topics: Set<String>? = nil,
        environments: Set<APNsEnvironment> = Set(APNsEnvironment.allCases), relatedKeyID: String? = nil
    ) {
        self.keyID = keyID
        self.teamID = teamID
        self.publicKeyPEM = publicKeyPEM
        self.topics = topics
        self.environments = environments
        self.relatedKeyID = relatedKeyID
    }
}
