import CarillonCore

extension TransactionalStore {
    package func signOut(
        _ device: String, by caller: SignOutCaller, at now: Timestamp
    ) async throws -> [TimelineEvent] {
        try await writeInSteps(at: now) { try $0.signOut(device, by: caller) }.events
    }

    package func signOut(
        _ user: UserReference, at now: Timestamp
    ) async throws -> (devices: Int, events: [TimelineEvent]) {
        let (count, events) = try await writeInSteps(at: now) { try $0.signOut(user) }
        return (count, events)
    }
}

extension StoreTransaction {
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
        try begin(.signOut(StepwiseWork.SigningOut(device: device, user: user, settled: caller.settled.rawValue)))
    }

    /// - Returns: whether nothing is left.
    mutating func step(_ signingOut: inout StepwiseWork.SigningOut) throws -> Bool {
        let limit = min(room, signingOut.left)
        let rows = try deliveryRows(
            where: """
                show.device = ? AND show.user = ? AND show.state IN ('queued', 'accepted', 'unanswered')
                    AND messages.everyone = 0 AND show.answers & ? = 0 AND show.number < ?
                ORDER BY show.number DESC LIMIT ?
                """, [signingOut.device, signingOut.user, signingOut.settled, signingOut.before, limit])
        for row in rows { try receive(.withdrawn(.signOut), forRow: row, SendingRules()) }
        room -= max(1, rows.count)
        signingOut.left -= rows.count
        signingOut.before = rows.last?["show_number"] ?? signingOut.before
        return rows.count < limit || signingOut.left == 0
    }
}
