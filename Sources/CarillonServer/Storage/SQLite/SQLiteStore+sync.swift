import CarillonCore
import GRDB

extension SQLiteStore {
    package func sync(_ device: String, limit: Int, at now: Timestamp) async throws -> SyncAnswer? {
        try await pool.read { db in
            let transaction = SQLiteTransaction(db: db, now: now)
            guard let row = try transaction.row("SELECT user FROM devices WHERE id = ?", [device]) else { return nil }
            let user: String? = row["user"]
            return SyncAnswer(
                now: now, removals: try transaction.openRemovals(of: device, limit: limit),
                unread: try user.map(transaction.unreadCount))
        }
    }
}
