import CarillonCore
import Crypto

/// A signing key that the simulated Apple account knows: what an `AuthKey_<key id>.p8` stands for there.
public struct SimulatorKey: Sendable {
    /// The 10 characters that a token's header says as `kid`.
    public var keyID: String
    /// The 10 characters that a token's claims say as `iss`.
    public var teamID: String
    /// The public half; the private one stays with the sender.
    public var publicKeyPEM: String
    /// The bundle ids for which a topic-specific key may send; `nil` for a team-scoped key, which may use them all.
    public var topics: Set<String>?
    /// The environments in which the key is good.
    public var environments: Set<APNsEnvironment>
    /// The one other key whose tokens may share a connection with this one's, if there is one.
    ///
    /// "A topic-specific key can have at most one related key in the same environment"
    /// ([Establishing a token-based connection](https://developer.apple.com/documentation/usernotifications/establishing-a-token-based-connection-to-apns)).
    public var relatedKeyID: String?

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

/// A ``SimulatorKey`` whose PEM has been read.
struct KnownKey: Sendable {
    var key: SimulatorKey
    var publicKey: P256.Signing.PublicKey

    init(_ key: SimulatorKey) throws(SimulatorError) {
        self.key = key
        do {
            publicKey = try P256.Signing.PublicKey(pemRepresentation: key.publicKeyPEM)
        } catch {
            throw SimulatorError(
                .invalidCredential,
                "the public key \(key.keyID) is not a P-256 key in PEM: pass the text from -----BEGIN PUBLIC KEY-----")
        }
    }
}
