import CarillonCore

extension TransactionalStore {
    package func sync(_ device: String, limit: Int, at now: Timestamp) async throws -> SyncAnswer? {
        try await read(at: now) { transaction in
            let row = try transaction.row("SELECT app, user, token FROM devices WHERE id = ?", [device])
            guard let row else { return nil }
            let user = try row.user()
            return SyncAnswer(
                now: now, removals: try transaction.openRemovals(of: device, limit: limit),
                unread: try user.map(transaction.unreadCount),
                tokenEnd: row.text("token").flatMap(DeviceToken.init(hex:))?.end)
        }
    }
}
