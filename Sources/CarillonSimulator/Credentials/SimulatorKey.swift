import CarillonCore

/// A signing key that the simulated Apple account knows by its public key.
public struct SimulatorKey: Sendable {
    /// The key's id, ten characters: `kid` in a token's header.
    public var keyID: String
    /// The team's id, ten characters: `iss` in a token's claims.
    public var teamID: String
    /// The public key in PEM.
    ///
    /// The private key stays with the sender.
    public var publicKeyPEM: String
    /// The bundle ids for which a topic-specific key may send; `nil` for a team-scoped key, which may send for all of the team's
    /// apps.
    public var topics: Set<String>?
    /// The environments in which the key is valid.
    ///
    /// In other environments, senders get BadEnvironmentKeyInToken.
    public var environments: Set<APNsEnvironment>
    /// The id of the key whose tokens may share a connection with this key's tokens; `nil` for none.
    ///
    /// Apple: "A topic-specific key can have at most one related key in the same environment" ([Establishing a token-based
    /// connection](https://developer.apple.com/documentation/usernotifications/establishing-a-token-based-connection-to-apns)).
    public var relatedKeyID: String?

    /// Makes a key.
    ///
    /// By default, the key is team-scoped and valid in both environments.
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
