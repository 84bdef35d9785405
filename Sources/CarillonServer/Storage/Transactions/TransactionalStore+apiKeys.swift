import CarillonCore
import Foundation

extension TransactionalStore {
    package func add(_ key: APIKeyRecord) async throws {
        let scopes = key.scopes.map(\.rawValue).sorted().joined(separator: " ")
        try await write(at: key.created) { transaction in
            try transaction.execute(
                "INSERT INTO api_keys (id, name, secret_hash, scopes, created, revoked) VALUES (?, ?, ?, ?, ?, ?)",
                [
                    key.id, key.name, key.secretHash, scopes, key.created.millisecondsSince1970,
                    key.revoked?.millisecondsSince1970,
                ])
            for app in key.apps {
                try transaction.execute(
                    "INSERT INTO api_key_apps (key, app) VALUES (?, ?)", [key.id, app.number.rawValue])
            }
        }
    }

    package func apiKey(_ id: String) async throws -> APIKeyRecord? {
        try await read { transaction in
            try transaction.row("SELECT * FROM api_keys WHERE id = ?", [id]).map(transaction.keyRecord)
        }
    }

    package func apiKeys() async throws -> [APIKeyRecord] {
        try await read { transaction in
            try transaction.rows("SELECT * FROM api_keys ORDER BY created, id").map(transaction.keyRecord)
        }
    }

    package func revokeAPIKey(_ id: String, at now: Timestamp) async throws -> Bool {
        try await write(at: now) { transaction in
            try transaction.changes(
                "UPDATE api_keys SET revoked = coalesce(revoked, ?) WHERE id = ?", [now.millisecondsSince1970, id]) > 0
        }
    }
}

extension StoreTransaction {
    fileprivate func keyRecord(_ row: SQLRow) throws -> APIKeyRecord {
        let scopes: String = row["scopes"]
        let id: String = row["id"]
        let apps = try rows(
            """
            SELECT apps.number, apps.topic FROM api_key_apps JOIN apps ON apps.number = api_key_apps.app
            WHERE api_key_apps.key = ? ORDER BY apps.topic
            """, [id])
        return APIKeyRecord(
            id: id, name: row["name"], secretHash: row["secret_hash"],
            scopes: Set(scopes.split(separator: " ").compactMap { APIScope(rawValue: String($0)) }),
            apps: apps.map { $0.app("number", "topic") },
            created: try row.requiredTimestamp("created"), revoked: row.timestamp("revoked"))
    }
}
