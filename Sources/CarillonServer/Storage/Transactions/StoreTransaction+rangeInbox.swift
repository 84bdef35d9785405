import CarillonCore

/// Messages that are sent by ranges, in inboxes: found in what is kept of the user's devices; a row only for who has read it.
///
/// One is in a user's inbox if it is for a device that was the user's before it was decided on: who signs in later sees
/// nothing of whoever had the device then.
extension StoreTransaction {
    /// The user's unread ones, in the order of their numbers, over the newest ``ServiceLimits/liveBroadcasts``.
    func unreadRanged(of user: UserReference) throws -> [Int64] {
        guard try isCounting(user.app.rawValue) else { return [] }
        return try unreadRanged(
            of: user,
            where:
                "messages.recalled IS NULL AND ranges.ended IS NULL AND (messages.until IS NULL OR messages.until > ?)",
            [now.millisecondsSince1970])
    }

    private func unreadRanged(
        of user: UserReference, where condition: String, _ arguments: SQLArguments
    ) throws -> [Int64] {
        let name: SQLArguments = [user.app.rawValue, user.id]
        let rows = try rows(
            """
            SELECT live, cancelled, chunks.number, chunks.message, chunks.first, chunks.marks, devices.ordinal
            FROM devices CROSS JOIN (
                SELECT ranges.message AS live, ranges.chunk_devices AS size, messages.cancelled,
                    messages.revision AS current
                FROM ranges JOIN messages ON messages.number = ranges.message
                WHERE ranges.app = ? AND ranges.counts = 1 AND (\(condition)) ORDER BY ranges.message DESC LIMIT ?
            ) AS lately \(dialect.orderedJoin) chunks ON chunks.message = live AND chunks.number > devices.bound
                AND chunks.first = devices.ordinal - (devices.ordinal - 1) % size AND chunks.revision = current
            WHERE devices.app = ? AND devices.user = ? AND devices.ordinal IS NOT NULL
                AND NOT EXISTS (SELECT 1 FROM inbox WHERE app = devices.app AND user = devices.user AND message = live
                    AND revision = current)
            """, [user.app.rawValue] + arguments + [ServiceLimits.liveBroadcasts] + name)
        let found = rows.filter { row in
            let ordinal: Int64 = row["ordinal"]
            let extract = ChunkExtract(row, changed: nil)
            // One that was cancelled stays where it may have arrived.
            return extract.contains(.addressed, ordinal)
                && (row.timestamp("cancelled") == nil || extract.containsAny(of: [.handed, .row], ordinal))
        }
        return Set(found.map { $0["live"] as Int64 }).sorted()
    }

    /// Whether any message of an app that is sent by ranges counts as unread.
    private func isCounting(_ app: Int64) throws -> Bool {
        if let known = cache.counting[app] { return known }
        let found = try integer("SELECT EXISTS (SELECT 1 FROM ranges WHERE app = ? AND counts = 1)", [app]) > 0
        cache.counting[app] = found
        return found
    }

    /// A user has read one.
    ///
    /// - Returns: whether it was unread.
    func readRanged(_ message: Int64, _ user: UserReference) throws -> Bool {
        guard try unreadRanged(of: user).contains(message) else { return false }
        try execute(
            """
            INSERT INTO inbox (app, user, message, revision, until, read)
            SELECT ?, ?, number, revision, until, ? FROM messages WHERE number = ?
            ON CONFLICT (app, user, message) DO UPDATE SET
                read = excluded.read, gone = 0, revision = excluded.revision, until = excluded.until
            """, [user.app.rawValue, user.id, now.millisecondsSince1970, message])
        return true
    }

    /// One counts as unread no more: phones to which nothing else travels get the number.
    ///
    /// - Returns: whether nothing is left.
    mutating func stepRangedInboxes(of message: Int64, _ work: inout StepwiseWork) throws -> Bool {
        guard let ranged = try ranged(message), try isCounting(ranged.app.number.rawValue) else { return true }
        // It counted for nobody any more.
        if ranged.isRecalled, ranged.ended != nil { return true }
        let (limit, app) = (room, ranged.app.number)
        let rows = try rows(
            """
            SELECT ordinal, user FROM devices WHERE app = ? AND ordinal > ? AND ordinal <= ? AND user IS NOT NULL
            ORDER BY ordinal LIMIT ?
            """, [app.rawValue, Int64(work.position) ?? 0, ranged.planned, limit])
        for row in rows where try place(of: ranged, ordinal: row["ordinal"]) != nil {
            let user = UserReference(row["user"], of: app)
            let wasUnread = try unreadRanged(
                of: user, where: "ranges.message = ? AND messages.cancelled IS NULL", [message])
            let isUnread = try ranged.isCancelled && !unreadRanged(of: user).contains(message)
            if !wasUnread.isEmpty || isUnread { try queueBadge(for: user, except: nil) }
        }
        room -= max(1, rows.count)
        work.position = rows.last.map { String($0["ordinal"] as Int64) } ?? ""
        return rows.count < limit
    }
}
