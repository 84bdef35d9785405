import CarillonCore

extension TransactionalStore {
    package func add(_ key: SignInKey) async throws -> Bool {
        try await write(at: key.created) { transaction in
            let live = try transaction.integer(
                "SELECT count(*) FROM sign_in_keys WHERE app = ? AND revoked IS NULL", [key.app.rawValue])
            guard live < ServiceLimits.liveSignInKeys else { return false }
            try transaction.execute(
                "INSERT INTO sign_in_keys (app, id, algorithm, key, created) VALUES (?, ?, ?, ?, ?)",
                [key.app.rawValue, key.id, key.algorithm.rawValue, key.key, key.created.millisecondsSince1970])
            return true
        }
    }

    package func signInKeys(of app: AppNumber) async throws -> [SignInKey] {
        try await read { transaction in
            try transaction.rows(
                "SELECT * FROM sign_in_keys WHERE app = ? ORDER BY created, id", [app.rawValue]
            ).map { row in
                SignInKey(
                    id: row["id"], app: app, algorithm: try row.choice("algorithm"), key: row["key"],
                    created: try row.requiredTimestamp("created"), revoked: row.timestamp("revoked"))
            }
        }
    }

    package func revokeSignInKey(_ id: String, of app: AppNumber, at now: Timestamp) async throws -> Bool {
        try await write(at: now) { transaction in
            try transaction.changes(
                "UPDATE sign_in_keys SET revoked = coalesce(revoked, ?) WHERE app = ? AND id = ?",
                [now.millisecondsSince1970, app.rawValue, id]) > 0
        }
    }
}
