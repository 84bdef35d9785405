import CarillonCore

extension TransactionalStore {
    package func steer(
        _ message: MessageReference, _ change: SendingChange, at now: Timestamp
    ) async throws -> [TimelineEvent]? {
        let (isKnown, events) = try await writeInSteps(at: now) { transaction in
            guard let number = try transaction.number(of: message) else { return false }
            try transaction.steer(number, change)
            return true
        }
        return isKnown ? events : nil
    }
}

/// Stopping a message for a while or for good: it is marked, so that nothing further is sent; then, step by step, what waits
/// is held, or ends.
extension StoreTransaction {
    fileprivate mutating func steer(_ message: Int64, _ change: SendingChange) throws {
        let row = try row("SELECT recalled, cancelled, paused FROM messages WHERE number = ?", [message])
        guard let row, row.timestamp("recalled") == nil, row.timestamp("cancelled") == nil else { return }
        let isPaused = row.timestamp("paused") != nil
        switch change {
        case .pause where try !isPaused && hasSomethingLeft(message):
            try execute("UPDATE messages SET paused = ? WHERE number = ?", [now.millisecondsSince1970, message])
            try execute(
                "UPDATE work SET due = ? WHERE message = ? AND kind = ?",
                [Self.never, message, StepwiseWork.addressing])
            try holdRange(message, true)
            try beginSteering(.hold(message: message))
        case .resume where isPaused:
            try execute("UPDATE messages SET paused = NULL WHERE number = ?", [message])
            try execute(
                """
                UPDATE work SET due = coalesce((SELECT send_at FROM messages WHERE number = work.message), 0)
                WHERE message = ? AND kind = ?
                """, [message, StepwiseWork.addressing])
            try holdRange(message, false)
            try beginSteering(.letGo(message: message))
        case .cancel where try hasSomethingLeft(message):
            try execute(
                "UPDATE messages SET cancelled = ?, paused = NULL WHERE number = ?",
                [now.millisecondsSince1970, message])
            try execute("DELETE FROM work WHERE message = ? AND kind = ?", [message, StepwiseWork.addressing])
            try stopPlanning(of: message)
            try beginSteering(.cancel(message: message))
        case .pause, .resume, .cancel: break
        }
    }

    /// What was asked last holds.
    private mutating func beginSteering(_ task: StepwiseWork.Task) throws {
        try execute("DELETE FROM work WHERE message = ? AND kind IN ('hold', 'let-go')", [StepwiseWork(task).message])
        try begin(task)
    }

    /// Whether anything that would be shown is still to be sent.
    private func hasSomethingLeft(_ message: Int64) throws -> Bool {
        try integer(
            """
            SELECT EXISTS (SELECT 1 FROM work WHERE message = ? AND kind = ?)
                OR EXISTS (SELECT 1 FROM deliveries
                    WHERE message = ? AND state = 'queued' AND purpose IN ('show', 'fallback'))
                OR EXISTS (SELECT 1 FROM ranges WHERE message = ? AND open = 1)
                OR EXISTS (SELECT 1 FROM chunks WHERE message = ? AND (open = 1 OR sender IS NOT NULL OR follow IS NOT NULL))
            """, [message, StepwiseWork.addressing, message, message, message]) > 0
    }

    /// Moves the deliveries of the next devices out of the channels in which they wait, or back.
    mutating func stepChannels(of message: Int64, hold: Bool, _ work: inout StepwiseWork) throws -> Bool {
        let limit = room
        let devices = try rows(
            """
            SELECT device FROM deliveries WHERE message = ? AND purpose = 'show' AND device > ?
            ORDER BY device LIMIT ?
            """, [message, work.position, limit]
        ).map { $0["device"] as String }
        room -= max(1, devices.count)
        guard let first = devices.first, let last = devices.last else { return true }
        let waiting = hold ? "channel >= 0 AND state = 'queued' AND sender IS NULL" : "channel < 0"
        try execute(
            """
            UPDATE deliveries SET channel = -1 - channel
            WHERE message = ? AND device BETWEEN ? AND ? AND purpose IN ('show', 'fallback') AND \(waiting)
            """, [message, first, last])
        work.position = last
        return devices.count < limit
    }

    /// Holds one delivery that a sender has met.
    func hold(_ number: Int64) throws {
        try execute("UPDATE deliveries SET channel = -1 - channel WHERE number = ? AND channel >= 0", [number])
    }

    /// A cancelled message stays in the inboxes of those whom it may have reached, and leaves the others'.
    mutating func stepUnreached(_ message: Int64, _ work: inout StepwiseWork) throws -> Bool {
        let limit = room
        let rows = try rows(
            "SELECT app, user, gone FROM inbox WHERE message = ? AND user > ? ORDER BY user LIMIT ?",
            [message, work.position, limit])
        for row in rows where !row["gone"] {
            guard let user = try row.user(), try !hasReached(user, message) else { continue }
            try execute(
                "UPDATE inbox SET gone = 1 WHERE app = ? AND user = ? AND message = ?",
                [user.app.rawValue, user.id, message])
            try queueBadge(for: user, except: nil)
        }
        room -= max(1, rows.count)
        work.position = rows.last?["user"] ?? ""
        return rows.count < limit
    }

    private func hasReached(_ user: UserReference, _ message: Int64) throws -> Bool {
        try integer(
            """
            SELECT EXISTS (SELECT 1 FROM devices JOIN deliveries
                    ON deliveries.message = ? AND deliveries.device = devices.id AND deliveries.user = devices.user
                WHERE devices.app = ? AND devices.user = ? AND deliveries.reach > 0)
            """, [message, user.app.rawValue, user.id]) > 0
    }
}
