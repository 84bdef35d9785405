import CarillonCore

/// The store's calls for apps and keys.
package protocol AccountCalls: Sendable {
    /// Creates or changes an app.
    ///
    /// Keys that were made before the first app become keys for it.
    func put(_ app: AppSettings, at now: Timestamp) async throws -> AppRecord
    /// Returns all apps, by topic.
    func apps() async throws -> [AppRecord]
    func app(_ topic: String) async throws -> AppRecord?
    func add(_ key: APIKeyRecord) async throws
    func apiKey(_ id: String) async throws -> APIKeyRecord?
    /// Returns all keys, revoked ones included, oldest first.
    func apiKeys() async throws -> [APIKeyRecord]
    /// Revokes a key.
    ///
    /// - Returns: whether there is such a key.
    func revokeAPIKey(_ id: String, at now: Timestamp) async throws -> Bool
    /// Adds a sign-in key.
    ///
    /// - Returns: whether it was added; false if the app has ``ServiceLimits/liveSignInKeys`` live keys already.
    func add(_ key: SignInKey) async throws -> Bool
    /// Returns an app's keys, revoked ones included, oldest first.
    func signInKeys(of app: AppNumber) async throws -> [SignInKey]
    /// Revokes a sign-in key.
    ///
    /// - Returns: whether there is such a key.
    func revokeSignInKey(_ id: String, of app: AppNumber, at now: Timestamp) async throws -> Bool
}

extension TransactionalStore {
    package func put(_ settings: AppSettings, at now: Timestamp) async throws -> AppRecord {
        try await write(at: now) { session in
            let (apps, keys) = (AppsTable(session), KeysTable(session))
            let isFirst = try apps.isEmpty
            let app = try apps.put(settings)
            if isFirst { try keys.openAll(to: app.reference.number) }
            return app
        }
    }

    package func apps() async throws -> [AppRecord] { try await read { try AppsTable($0).all() } }

    package func app(_ topic: String) async throws -> AppRecord? { try await read { try AppsTable($0).app(topic) } }

    package func add(_ key: APIKeyRecord) async throws {
        try await write(at: key.created) { try KeysTable($0).add(key) }
    }

    package func apiKey(_ id: String) async throws -> APIKeyRecord? { try await read { try KeysTable($0).key(id) } }

    package func apiKeys() async throws -> [APIKeyRecord] { try await read { try KeysTable($0).all() } }

    package func revokeAPIKey(_ id: String, at now: Timestamp) async throws -> Bool {
        try await write(at: now) { try KeysTable($0).revoke(id) }
    }

    package func add(_ key: SignInKey) async throws -> Bool {
        try await write(at: key.created) { try KeysTable($0).add(key) }
    }

    package func signInKeys(of app: AppNumber) async throws -> [SignInKey] {
        try await read { try KeysTable($0).signInKeys(of: app) }
    }

    package func revokeSignInKey(_ id: String, of app: AppNumber, at now: Timestamp) async throws -> Bool {
        try await write(at: now) { try KeysTable($0).revokeSignInKey(id, of: app) }
    }
}
