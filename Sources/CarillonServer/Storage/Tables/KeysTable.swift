import CarillonCore

/// Reads and writes API keys and sign-in keys: the tables `api_keys`, `api_key_apps` and `sign_in_keys`.
struct KeysTable: StoreTable {
    let session: StoreSession

    func add(_ key: APIKeyRecord) throws {
        try execute(
            "INSERT INTO api_keys (id, name, secret_hash, scopes, created, expires, revoked) VALUES (?, ?, ?, ?, ?, ?, ?)",
            [
                key.id, key.name, key.secretHash, key.scopes.map(\.rawValue).sorted().joined(separator: " "),
                key.created.millisecondsSince1970, key.expires?.millisecondsSince1970,
                key.revoked?.millisecondsSince1970,
            ])
        for app in key.apps {
            let added = try changes(
                "INSERT INTO api_key_apps (key, app) SELECT ?, number FROM apps WHERE number = ?",
                [key.id, app.number.rawValue])
            guard added > 0 else { throw ServiceError.appIsRemoved }
        }
    }

    /// Gives all valid API keys that exist now access to an app.
    func openAll(to app: AppNumber) throws {
        try execute(
            "INSERT INTO api_key_apps (key, app) SELECT id, ? FROM api_keys WHERE revoked IS NULL", [app.rawValue])
    }

    /// Returns the valid API keys that may use an app, oldest first.
    func keys(of app: AppNumber) throws -> [APIKeyRecord] {
        try rows(
            """
            SELECT * FROM api_keys WHERE revoked IS NULL AND id IN (SELECT key FROM api_key_apps WHERE app = ?)
            ORDER BY created, id
            """, [app.rawValue]
        ).map(keyRecord)
    }

    /// Takes an app from all API keys, and deletes the app's sign-in keys.
    func delete(of app: AppNumber) throws {
        try execute("DELETE FROM api_key_apps WHERE app = ?", [app.rawValue])
        try execute("DELETE FROM sign_in_keys WHERE app = ?", [app.rawValue])
    }

    func key(_ id: String) throws -> APIKeyRecord? {
        try row("SELECT * FROM api_keys WHERE id = ?", [id]).map(keyRecord)
    }

    /// Returns all API keys including revoked ones, oldest first.
    func all() throws -> [APIKeyRecord] {
        try rows("SELECT * FROM api_keys ORDER BY created, id").map(keyRecord)
    }

    /// Revokes an API key; a repeated call changes nothing.
    func revoke(_ id: String) throws {
        try execute(
            "UPDATE api_keys SET revoked = coalesce(revoked, ?) WHERE id = ?", [now.millisecondsSince1970, id])
    }

    /// Makes an API key expire at `end`, unless it already expires sooner.
    func expire(_ id: String, at end: Timestamp) throws {
        let end = end.millisecondsSince1970
        try execute(
            "UPDATE api_keys SET expires = ? WHERE id = ? AND (expires IS NULL OR expires > ?)", [end, id, end])
    }

    /// Stores when each API key was last used, unless a later time is stored for the key.
    ///
    /// The parameter `uses` has the times by key id.
    func noteUses(_ uses: [String: Timestamp]) throws {
        for (id, moment) in uses.sorted(by: { $0.key < $1.key }) {
            let moment = moment.millisecondsSince1970
            try execute(
                "UPDATE api_keys SET last_used = ? WHERE id = ? AND (last_used IS NULL OR last_used < ?)",
                [moment, id, moment])
        }
    }

    func keyRecord(_ row: SQLRow) throws -> APIKeyRecord {
        let scopes: String = try row["scopes"]
        let id: String = try row["id"]
        let apps = try rows(
            """
            SELECT apps.number, apps.topic FROM api_key_apps JOIN apps ON apps.number = api_key_apps.app
            WHERE api_key_apps.key = ? ORDER BY apps.topic
            """, [id])
        return APIKeyRecord(
            id: id, name: try row["name"], secretHash: try row["secret_hash"],
            scopes: Set(scopes.split(separator: " ").compactMap { APIScope(rawValue: String($0)) }),
            apps: try apps.map { try $0.app("number", "topic") },
            created: try row.requiredTimestamp("created"), expires: row.timestamp("expires"),
            revoked: row.timestamp("revoked"), lastUsed: row.timestamp("last_used"))
    }

    // MARK: Sign-in

    /// Adds a sign-in key to an app.
    ///
    /// - Returns: whether the key was added; false if the app already has ``StoreLimits/liveSignInKeys`` keys that are not
    ///   revoked.
    func add(_ key: SignInKey) throws -> Bool {
        try AppsTable(session).require(key.app)
        let live = try integer(
            "SELECT count(*) FROM sign_in_keys WHERE app = ? AND revoked IS NULL", [key.app.rawValue])
        guard live < StoreLimits.liveSignInKeys else { return false }
        try execute(
            "INSERT INTO sign_in_keys (app, id, algorithm, key, created) VALUES (?, ?, ?, ?, ?)",
            [key.app.rawValue, key.id, key.algorithm.rawValue, key.key, key.created.millisecondsSince1970])
        return true
    }

    /// Returns an app's sign-in keys including revoked ones, oldest first.
    func signInKeys(of app: AppNumber) throws -> [SignInKey] {
        try rows("SELECT * FROM sign_in_keys WHERE app = ? ORDER BY created, id", [app.rawValue]).map { row in
            SignInKey(
                id: try row["id"], app: app, algorithm: try row.choice("algorithm"), key: try row["key"],
                created: try row.requiredTimestamp("created"), revoked: row.timestamp("revoked"))
        }
    }

    /// Revokes a sign-in key of an app.
    ///
    /// - Returns: whether the app has a key with this id.
    func revokeSignInKey(_ id: String, of app: AppNumber) throws -> Bool {
        try changes(
            "UPDATE sign_in_keys SET revoked = coalesce(revoked, ?) WHERE app = ? AND id = ?",
            [now.millisecondsSince1970, app.rawValue, id]) > 0
    }
}
