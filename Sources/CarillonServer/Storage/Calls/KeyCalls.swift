import CarillonCore

/// The store's calls about keys: the API keys of backends, and the keys of sign-in tokens.
package struct KeyCalls: Sendable {
    let transactions: Transactions

    package func add(_ key: APIKeyRecord, by actor: AuditActor) async throws {
        try await transactions.write(at: key.created) { session in
            try KeysTable(session).add(key)
            try AuditTable(session).add(AuditNote(.keyCreated, key, by: actor))
        }
    }

    /// Adds an API key that replaces an old one, and makes the old key expire at `end`.
    ///
    /// - Parameters:
    ///   - key: the new key.
    ///   - former: the id of the old key.
    ///   - end: the time from which the service refuses the old key, unless the old key already expires sooner.
    ///   - actor: the person or program that the audit list names as the maker of the change.
    /// - Throws: the errors of the database.
    package func add(_ key: APIKeyRecord, for former: String, until end: Timestamp, by actor: AuditActor) async throws {
        try await transactions.write(at: key.created) { session in
            let keys = KeysTable(session)
            try keys.add(key)
            try keys.expire(former, at: end)
            var note = AuditNote(.keyRotated, key, by: actor)
            note.details = "for \(former), which expires \(end); \(note.details)"
            try AuditTable(session).add(note)
        }
    }

    package func apiKey(_ id: String) async throws -> APIKeyRecord? {
        try await transactions.read { try KeysTable($0).key(id) }
    }

    /// Returns all API keys including revoked ones, oldest first.
    package func apiKeys() async throws -> [APIKeyRecord] { try await transactions.read { try KeysTable($0).all() } }

    /// Revokes an API key.
    ///
    /// - Returns: whether there is a key with this id.
    package func revokeAPIKey(_ id: String, by actor: AuditActor, at now: Timestamp) async throws -> Bool {
        try await transactions.write(at: now) { session in
            let keys = KeysTable(session)
            guard let key = try keys.key(id) else { return false }
            guard key.revoked == nil else { return true }
            try keys.revoke(id)
            try AuditTable(session).add(AuditNote(.keyRevoked, key, by: actor))
            return true
        }
    }

    /// Stores the times at which API keys were last used.
    ///
    /// The parameter `uses` maps the keys' ids to the times. A time is ignored if a later time is stored for the key.
    package func noteUses(_ uses: [String: Timestamp], at now: Timestamp) async throws {
        try await transactions.write(at: now) { try KeysTable($0).noteUses(uses) }
    }

    /// Adds a sign-in key to an app.
    ///
    /// - Returns: whether the key was added; false if the app already has ``StoreLimits/liveSignInKeys`` keys that are not
    ///   revoked.
    package func add(_ key: SignInKey, for app: AppReference, by actor: AuditActor) async throws -> Bool {
        try await transactions.write(at: key.created) { session in
            guard try KeysTable(session).add(key) else { return false }
            try AuditTable(session).add(
                AuditNote(
                    .signInKeyCreated, by: actor, app: app.topic, subject: key.id, details: key.algorithm.rawValue))
            return true
        }
    }

    /// Returns an app's sign-in keys including revoked ones, oldest first.
    package func signInKeys(of app: AppNumber) async throws -> [SignInKey] {
        try await transactions.read { try KeysTable($0).signInKeys(of: app) }
    }

    /// Revokes a sign-in key of an app.
    ///
    /// - Returns: whether the app has a key with this id.
    package func revokeSignInKey(
        _ id: String, of app: AppReference, by actor: AuditActor, at now: Timestamp
    ) async throws -> Bool {
        try await transactions.write(at: now) { session in
            let keys = KeysTable(session)
            let isLive = try keys.signInKeys(of: app.number).contains { $0.id == id && $0.revoked == nil }
            guard try keys.revokeSignInKey(id, of: app.number) else { return false }
            if isLive {
                try AuditTable(session).add(AuditNote(.signInKeyRevoked, by: actor, app: app.topic, subject: id))
            }
            return true
        }
    }
}

extension AuditNote {
    /// Describes a change of an API key.
    init(_ action: Action, _ key: APIKeyRecord, by actor: AuditActor) {
        let scopes = key.scopes.map(\.rawValue).sorted().joined(separator: ", ")
        let apps = key.apps.isEmpty ? "the first app" : key.apps.map(\.topic).joined(separator: ", ")
        let end = key.expires.map { ", expires \($0)" } ?? ""
        self.init(
            action, by: actor, app: key.apps.count == 1 ? key.apps.first?.topic : nil, subject: key.id,
            details: "\(key.name): \(scopes) for \(apps)\(end)")
    }
}
