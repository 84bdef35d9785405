import CarillonCore
import GRDB

extension SQLiteStore {
    package func erase(_ user: UserReference, at now: Timestamp) async throws -> UserErasure {
        let erasure = try await write(at: now) { try $0.erase(user) }
        // The log has the old pages: it is emptied now, or later if somebody reads.
        try? await checkpoints.empty()
        return erasure
    }
}

/// Forgetting a user: signed out everywhere, and nothing left that names the user or that only the user was sent.
///
/// Messages keep their row, without content, until the retention ends: the phones are still to be told to remove them.
extension SQLiteTransaction {
    fileprivate mutating func erase(_ user: UserReference) throws -> UserErasure {
        try cancelQueued(for: user)
        let devices = try signOut(user)
        let own = try emptyOwnMessages(of: user)
        try execute(
            """
            UPDATE events SET detail = NULL, reply = NULL WHERE receipt IS NOT NULL
                AND (detail IS NOT NULL OR reply IS NOT NULL) AND EXISTS
                (SELECT 1 FROM deliveries JOIN messages ON messages.number = deliveries.message
                    WHERE deliveries.message = events.message AND deliveries.device = events.device
                    AND deliveries.user = ? AND messages.app = ?)
            """, [user.id, user.app.rawValue])
        let details = db.changesCount
        try execute(
            """
            UPDATE deliveries SET user = NULL
            WHERE user = ? AND message IN (SELECT number FROM messages WHERE app = ?)
            """, [user.id, user.app.rawValue])
        let named = db.changesCount
        try execute("DELETE FROM inbox WHERE app = ? AND user = ?", [user.app.rawValue, user.id])
        return UserErasure(
            devices: devices, messages: own, inbox: db.changesCount, deliveries: details + named,
            remaining: try rowsNaming(user), events: events)
    }

    /// Cancels all that is queued for the user, however much: what follows takes the user's name off it.
    private mutating func cancelQueued(for user: UserReference) throws {
        try receive(
            .cancelled(Self.erasedBeforeSent),
            for: try deliveries(
                where: """
                    (show.device, show.message) IN (SELECT waiting.device, waiting.message
                        FROM devices JOIN deliveries AS waiting ON waiting.device = devices.id
                        WHERE devices.app = ? AND devices.user = ? AND waiting.state = 'queued'
                        AND waiting.sender IS NULL AND waiting.message IS NOT NULL)
                    AND show.user = ? AND messages.everyone = 0
                    """, [user.app.rawValue, user.id, user.id]))
    }

    private static let erasedBeforeSent = "the user was erased before it was sent"

    /// Empties the messages that were for this user alone, by name or by installation, and cancels what is queued of them.
    private mutating func emptyOwnMessages(of user: UserReference) throws -> Int {
        let own = try rows(
            """
            SELECT number, payload FROM messages WHERE app = ? AND (audience = ? OR (
                (EXISTS (SELECT 1 FROM inbox WHERE message = messages.number AND user = ?)
                    OR EXISTS (SELECT 1 FROM deliveries WHERE message = messages.number AND user = ?))
                AND NOT EXISTS (SELECT 1 FROM inbox WHERE message = messages.number AND user <> ?)
                AND NOT EXISTS (SELECT 1 FROM deliveries
                    WHERE message = messages.number AND purpose = 'show' AND user IS NOT ?)))
            """,
            [
                user.app.rawValue, Audience.users([user.id]).fingerprint, user.id, user.id, user.id, user.id,
            ])
        for row in own {
            let number: Int64 = row["number"]
            try receive(.cancelled(Self.erasedBeforeSent), for: try deliveries(where: "show.message = ?", [number]))
            // The fingerprints could confirm a guess at what was sent, and to whom.
            try execute(
                """
                UPDATE messages SET payload = ?, notice = NULL, fingerprint = x'', audience = x'',
                    recalled = coalesce(recalled, ?) WHERE number = ?
                """, [try Payload(aps: Aps()).encoded(), now.millisecondsSince1970, number])
            try execute("DELETE FROM idempotency WHERE message = ?", [number])
        }
        return own.count
    }

    private func rowsNaming(_ user: UserReference) throws -> Int {
        let arguments: StatementArguments = [user.app.rawValue, user.id]
        return try integer("SELECT count(*) FROM inbox WHERE app = ? AND user = ?", arguments)
            + integer("SELECT count(*) FROM devices WHERE app = ? AND user = ?", arguments)
            + integer(
                """
                SELECT count(*) FROM deliveries JOIN messages ON messages.number = deliveries.message
                WHERE messages.app = ? AND deliveries.user = ?
                """, arguments)
    }
}
