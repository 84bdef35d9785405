import CarillonCore

/// The store's calls about keys: the API keys of backends, and the keys of sign-in tokens.
package struct KeyCalls: Sendable {
    let transactions: Transactions

    package func add(_ key: APIKeyRecord) async throws {
        try await transactions.write(at: key.created) { try KeysTable($0).add(key) }
    }

    package func apiKey(_ id: String) async throws -> APIKeyRecord? {
        try await transactions.read { try KeysTable($0).key(id) }
    }

    /// Returns all API keys including revoked ones, oldest first.
    package func apiKeys() async throws -> [APIKeyRecord] { try await transactions.read { try KeysTable($0).all() } }

    /// Revokes an API key.
    ///
    /// - Returns: whether there is a key with this id.
    package func revokeAPIKey(_ id: String, at now: Timestamp) async throws -> Bool {
        try await transactions.write(at: now) { try KeysTable($0).revoke(id) }
    }

    /// Adds a sign-in key to an app.
    ///
    /// - Returns: whether the key was added; false if the app already has ``StoreLimits/liveSignInKeys`` keys that are not
    ///   revoked.
    package func add(_ key: SignInKey) async throws -> Bool {
        try await transactions.write(at: key.created) { try KeysTable($0).add(key) }
    }

    /// Returns an app's sign-in keys including revoked ones, oldest first.
    package func signInKeys(of app: AppNumber) async throws -> [SignInKey] {
        try await transactions.read { try KeysTable($0).signInKeys(of: app) }
    }

    /// Revokes a sign-in key of an app.
    ///
    /// - Returns: whether the app has a key with this id.
    package func revokeSignInKey(_ id: String, of app: AppNumber, at now: Timestamp) async throws -> Bool {
        try await transactions.write(at: now) { try KeysTable($0).revokeSignInKey(id, of: app) }
    }
}
