import CarillonCore
import Foundation

/// Makes and revokes the keys that backends call with.
public struct APIKeys: Sendable {
    /// A key just made: the only moment at which it can be read.
    public struct Made: Sendable {
        public let record: APIKeyRecord
        /// What the caller puts after `Authorization: Bearer`.
        public let key: String
    }

    private static let prefix = "ck_"

    private let store: any Store
    private let clock: any CarillonClock
    private let random: RandomSource

    public init(store: any Store, clock: any CarillonClock, random: RandomSource) {
        self.store = store
        self.clock = clock
        self.random = random
    }

    /// Makes a key and keeps its hash.
    ///
    /// - Parameter name: for people; whose key it is.
    public func make(name: String, scopes: Set<APIScope>) async throws -> Made {
        let id = Data(random.bytes(8)).hexadecimal
        let secret = Data(random.bytes(32)).hexadecimal
        let record = APIKeyRecord(
            id: id, name: name, secretHash: SecretHash.of(secret), scopes: scopes, created: clock.now)
        try await store.add(record)
        return Made(record: record, key: "\(Self.prefix)\(id)_\(secret)")
    }

    /// - Returns: whether there is a key with that id.
    public func revoke(_ id: String) async throws -> Bool { try await store.revokeAPIKey(id, at: clock.now) }

    public func all() async throws -> [APIKeyRecord] { try await store.apiKeys() }

    /// The record of a key as it comes in a header; `nil` for one that is not known, wrong or revoked.
    func record(for key: String) async throws -> APIKeyRecord? {
        guard key.utf8.count <= 256, key.hasPrefix(Self.prefix) else { return nil }
        let parts = key.dropFirst(Self.prefix.count).split(separator: "_", omittingEmptySubsequences: false)
        guard parts.count == 2, let record = try await store.apiKey(String(parts[0])) else { return nil }
        let matches = SecretHash.isEqual(record.secretHash, SecretHash.of(String(parts[1])))
        return matches && record.revoked == nil ? record : nil
    }
}
