import CarillonCore
import Foundation

/// Makes and revokes the API keys of backends.
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

    package init(in keys: KeyCalls, clock: any CarillonClock, random: RandomSource) {
        self.keys = keys
        self.clock = clock
        self.random = random
    }

    /// Makes an API key and stores only the hash of its secret.
    ///
    /// - Parameters:
    ///   - name: the name of the key's owner, shown to operators.
    ///   - scopes: the permissions.
    ///   - apps: the apps that the key may use. If the service has no app yet, the key gets the first app that is created.
    /// - Returns: the key. Its text cannot be read from the store later.
    /// - Throws: the errors of the store.
    package func make(name: String, scopes: Set<APIScope>, apps: [AppReference]) async throws -> Made {
        let id = Data(random.bytes(ServiceLimits.apiKeyIDBytes)).hexadecimal
        let secret = Data(random.bytes(ServiceLimits.apiKeySecretBytes)).hexadecimal
        let record = APIKeyRecord(
            id: id, name: name, secretHash: SecretHash.of(secret), scopes: scopes, apps: apps, created: clock.now)
        try await keys.add(record)
        return Made(record: record, key: "\(Self.prefix)\(id)_\(secret)")
    }

    /// Revokes the key with an id.
    ///
    /// - Returns: whether there is a key with that id.
    package func revoke(_ id: String) async throws -> Bool { try await keys.revokeAPIKey(id, at: clock.now) }

    package func all() async throws -> [APIKeyRecord] { try await keys.apiKeys() }

    /// Returns whether a text begins like an API key, whether or not the store knows the key.
    static func isKey(_ text: String) -> Bool { text.hasPrefix(prefix) }

    /// Returns the id and the secret in the text of a key; `nil` if the text is no API key.
    static func parts(of key: String) -> (id: String, secret: String)? {
        guard key.utf8.count <= ServiceLimits.apiKeyBytes, key.hasPrefix(prefix) else { return nil }
        let parts = key.dropFirst(prefix.count).split(separator: "_", omittingEmptySubsequences: false)
        return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
    }
}
