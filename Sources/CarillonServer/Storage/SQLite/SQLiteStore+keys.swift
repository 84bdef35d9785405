import CarillonCore
import Foundation
import GRDB

extension SQLiteStore {
    public func add(_ key: APIKeyRecord) async throws {
        let scopes = key.scopes.map(\.rawValue).sorted().joined(separator: " ")
        try await write(at: key.created) { transaction in
            try transaction.execute(
                "INSERT INTO api_keys (id, name, secret_hash, scopes, created, revoked) VALUES (?, ?, ?, ?, ?, ?)",
                [
                    key.id, key.name, key.secretHash, scopes, key.created.millisecondsSince1970,
                    key.revoked?.millisecondsSince1970,
                ])
        }
    }

    public func apiKey(_ id: String) async throws -> APIKeyRecord? {
        try await pool.read { db in
            try Row.fetchOne(db, sql: "SELECT * FROM api_keys WHERE id = ?", arguments: [id]).map(Self.keyRecord)
        }
    }

    public func apiKeys() async throws -> [APIKeyRecord] {
        try await pool.read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM api_keys ORDER BY created, id").map(Self.keyRecord)
        }
    }

    public func revokeAPIKey(_ id: String, at now: Timestamp) async throws -> Bool {
        try await write(at: now) { transaction in
            try transaction.execute(
                "UPDATE api_keys SET revoked = coalesce(revoked, ?) WHERE id = ?", [now.millisecondsSince1970, id])
            return transaction.db.changesCount > 0
        }
    }

    private static func keyRecord(_ row: Row) throws -> APIKeyRecord {
        let scopes: String = row["scopes"]
        return APIKeyRecord(
            id: row["id"], name: row["name"], secretHash: row["secret_hash"],
            scopes: Set(scopes.split(separator: " ").compactMap { APIScope(rawValue: String($0)) }),
            created: try row.requiredTimestamp("created"), revoked: row.timestamp("revoked"))
    }
}
