import CarillonCore
import Foundation

/// Makes and revokes the keys that backends call with.
package struct APIKeys: Sendable {
    /// A key just made, the only time at which it can be read.
    package struct Made: Sendable {
        package let record: APIKeyRecord
        /// The text that the caller puts after `Authorization: Bearer`.
        package let key: String
    }

    private static let prefix = "ck_"

    private let store: any AccountCalls
    private let clock: any CarillonClock
    private let random: RandomSource
    private let cache: SharedValue<APIKeyCache>?

    package init(store: any AccountCalls, clock: any CarillonClock, random: RandomSource) {
        self.init(store: store, clock: clock, random: random, cache: nil)
    }

    /// Creates it with a cache of looked-up keys; `nil` for none.
    init(store: any AccountCalls, clock: any CarillonClock, random: RandomSource, cache: SharedValue<APIKeyCache>?) {
        self.store = store
        self.clock = clock
        self.random = random
        self.cache = cache
    }

    /// Makes a key and stores its hash.
    ///
    /// - Parameters:
    ///   - name: the name of the key's owner, for people.
    ///   - scopes: the permissions.
    ///   - apps: the apps that the key is for. If the service has none yet, the key is for the first that is made.
    /// - Returns: the key, which can be read only now.
    /// - Throws: the errors of the store.
    package func make(name: String, scopes: Set<APIScope>, apps: [AppReference]) async throws -> Made {
        let id = Data(random.bytes(ServiceLimits.apiKeyIDBytes)).hexadecimal
        let secret = Data(random.bytes(ServiceLimits.apiKeySecretBytes)).hexadecimal
        let record = APIKeyRecord(
            id: id, name: name, secretHash: SecretHash.of(secret), scopes: scopes, apps: apps, created: clock.now)
        try await store.add(record)
        return Made(record: record, key: "\(Self.prefix)\(id)_\(secret)")
    }

    /// Revokes a key.
    ///
    /// - Returns: whether there is a key with that id.
    package func revoke(_ id: String) async throws -> Bool { try await store.revokeAPIKey(id, at: clock.now) }

    package func all() async throws -> [APIKeyRecord] { try await store.apiKeys() }

    /// Returns whether a text looks like an API key, known or not.
    static func isKey(_ text: String) -> Bool { text.hasPrefix(prefix) }

    /// Returns the record of a key from a header; `nil` if the key is unknown, wrong or revoked.
    func record(for key: String) async throws -> APIKeyRecord? {
        guard key.utf8.count <= ServiceLimits.apiKeyBytes, key.hasPrefix(Self.prefix) else { return nil }
        let parts = key.dropFirst(Self.prefix.count).split(separator: "_", omittingEmptySubsequences: false)
        guard parts.count == 2, let record = try await validRecord(String(parts[0])) else { return nil }
        return SecretHash.isEqual(record.secretHash, SecretHash.of(String(parts[1]))) ? record : nil
    }

    /// Returns the record of the key with an id, unless it was revoked.
    private func validRecord(_ id: String) async throws -> APIKeyRecord? {
        let uptime = clock.uptime
        if let record = cache?.withLock({ $0.record(id, at: uptime) }) { return record }
        guard let record = try await store.apiKey(id), record.revoked == nil else { return nil }
        cache?.withLock { $0.keep(record, asked: uptime) }
        return record
    }
}
