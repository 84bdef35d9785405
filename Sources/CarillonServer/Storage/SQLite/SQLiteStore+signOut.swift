import CarillonCore
import GRDB

extension SQLiteStore {
    package func signOut(
        _ device: String, by caller: SignOutCaller, at now: Timestamp
    ) async throws -> [TimelineEvent] {
        try await write(at: now) { transaction in
            try transaction.signOut(device, by: caller)
            return transaction.events
        }
    }

    package func signOut(
        _ user: UserReference, at now: Timestamp
    ) async throws -> (devices: Int, events: [TimelineEvent]) {
        try await write(at: now) { transaction in
            let count = try transaction.signOut(user)
            return (count, transaction.events)
        }
    }
}

extension SQLiteTransaction {
    /// Unbinds all of a user's devices.
    /// - Returns: how many there were.
    mutating func signOut(_ user: UserReference) throws -> Int {
        let devices = try rows("SELECT id FROM devices WHERE app = ? AND user = ?", [user.app.rawValue, user.id])
        for row in devices { try signOut(row["id"] as String, by: .service) }
        return devices.count
    }

    /// Unbinds; what was queued for the user is cancelled, and what the phone may show, now or later, will be removed.
    mutating func signOut(_ device: String, by caller: SignOutCaller) throws {
        let bound = try row("SELECT user FROM devices WHERE id = ?", [device])
        guard let user = bound?.text("user") else { return }
        try execute("UPDATE devices SET user = NULL, badge = NULL WHERE id = ?", [device])
        try receive(
            .withdrawn(.signOut),
            for: try deliveries(
                where: """
                    show.device = ? AND show.user = ? AND show.state IN ('queued', 'accepted', 'unanswered')
                        AND messages.everyone = 0 AND show.answers & ? = 0
                    ORDER BY show.number DESC LIMIT ?
                    """, [device, user, caller.settled.rawValue, ServiceLimits.removalsPerSync]))
    }
}
