import CarillonCore
import Foundation

/// Makes, replaces and revokes the API keys of backends.
package struct APIKeys: Sendable {
    /// A new key with its secret, which the service shows only once.
    package struct Made: Sendable {
        package let record: APIKeyRecord
        /// The bearer token, which the caller sends after `Authorization: Bearer`.
        package let key: String
    }

    private static let prefix = "ck_"

    private let keys: KeyCalls
    private let clock: any CarillonClock
    private let random: RandomSource
    private let actor: AuditActor

    /// - Parameters:
    ///   - keys: the store's functions that read and write keys.
    ///   - clock: the only source of time.
    ///   - random: the source of ids and secrets.
    ///   - actor: the person or program that the audit list names as the maker of the changes.
    package init(in keys: KeyCalls, clock: any CarillonClock, random: RandomSource, by actor: AuditActor) {
        self.keys = keys
        self.clock = clock
        self.random = random
        self.actor = actor
    }

    /// Makes an API key and stores only the hash of its secret.
    ///
    /// - Parameters:
    ///   - name: the name of the key's owner, shown to operators.
    ///   - scopes: the permissions.
    ///   - apps: the apps that the key may use. If the service has no app yet, the key gets the first app that is created.
    ///   - life: the time after which the key expires; `nil` for never.
    /// - Returns: the key. Its text cannot be read from the store later.
    /// - Throws: the errors of the store.
    package func make(
        name: String, scopes: Set<APIScope>, apps: [AppReference], life: Duration? = nil
    ) async throws -> Made {
        let made = drawn(name: name, scopes: scopes, apps: apps, life: life)
        try await keys.add(made.record, by: actor)
        return made
    }

    /// Makes a key with the name, scopes and apps of an old key, and lets the old key expire after a while.
    ///
    /// - Parameters:
    ///   - id: the id of the old key.
    ///   - overlap: the time for which the old key stays valid, unless it already expires sooner.
    ///   - life: the time after which the new key expires; `nil` for never.
    /// - Returns: the new key; `nil` if there is no old key with this id, or if the old key was revoked.
    /// - Throws: the errors of the store.
    package func rotate(_ id: String, overlap: Duration, life: Duration? = nil) async throws -> Made? {
        guard let former = try await keys.apiKey(id), former.revoked == nil else { return nil }
        let made = drawn(name: former.name, scopes: former.scopes, apps: former.apps, life: life)
        try await keys.add(made.record, for: id, until: made.record.created + overlap, by: actor)
        return made
    }

    private func drawn(name: String, scopes: Set<APIScope>, apps: [AppReference], life: Duration?) -> Made {
        let id = Data(random.bytes(ServiceLimits.apiKeyIDBytes)).hexadecimal
        let secret = Data(random.bytes(ServiceLimits.apiKeySecretBytes)).hexadecimal
        let now = clock.now
        let record = APIKeyRecord(
            id: id, name: name, secretHash: SecretHash.of(secret), scopes: scopes, apps: apps, created: now,
            expires: life.map { now + $0 })
        return Made(record: record, key: "\(Self.prefix)\(id)_\(secret)")
    }

    /// Revokes the key with an id.
    ///
    /// - Returns: whether there is a key with that id.
    package func revoke(_ id: String) async throws -> Bool {
        try await keys.revokeAPIKey(id, by: actor, at: clock.now)
    }

    package func all() async throws -> [APIKeyRecord] { try await keys.apiKeys() }

    /// Returns the id and the secret in the text of a key; `nil` if the text is no API key.
    static func parts(of key: String) -> (id: String, secret: String)? {
        guard key.utf8.count <= ServiceLimits.apiKeyBytes, key.hasPrefix(prefix) else { return nil }
        let parts = key.dropFirst(prefix.count).split(separator: "_", omittingEmptySubsequences: false)
        return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
    }
}
