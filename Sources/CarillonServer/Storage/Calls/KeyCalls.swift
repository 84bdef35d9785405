import CarillonCore

/// The store's calls about keys: those that backends call with, and those that sign sign-in tokens.
package struct KeyCalls: Sendable {
    let transactions: Transactions

    package func add(_ key: APIKeyRecord) async throws {
        try await transactions.write(at: key.created) { try KeysTable($0).add(key) }
    }

    package func apiKey(_ id: String) async throws -> APIKeyRecord? {
        try await transactions.read { try KeysTable($0).key(id) }
    }

    /// Returns all keys, revoked ones included, oldest first.
    package func apiKeys() async throws -> [APIKeyRecord] { try await transactions.read { try KeysTable($0).all() } }

    /// Revokes a key.
    ///
    /// - Returns: whether there is such a key.
    package func revokeAPIKey(_ id: String, at now: Timestamp) async throws -> Bool {
        try await transactions.write(at: now) { try KeysTable($0).revoke(id) }
    }

    /// Adds a sign-in key.
    ///
    /// - Returns: whether it was added; false if the app has ``StoreLimits/liveSignInKeys`` live keys already.
    package func add(_ key: SignInKey) async throws -> Bool {
        try await transactions.write(at: key.created) { try KeysTable($0).add(key) }
    }

    /// Returns an app's keys, revoked ones included, oldest first.
    package func signInKeys(of app: AppNumber) async throws -> [SignInKey] {
        try await transactions.read { try KeysTable($0).signInKeys(of: app) }
    }

    /// Revokes a key.
    ///
    /// - Returns: whether there is such a key.
    package func revokeSignInKey(_ id: String, of app: AppNumber, at now: Timestamp) async throws -> Bool {
        try await transactions.write(at: now) { try KeysTable($0).revokeSignInKey(id, of: app) }
    }
}
