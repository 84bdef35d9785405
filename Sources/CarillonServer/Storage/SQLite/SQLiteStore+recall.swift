import CarillonCore
import GRDB

extension SQLiteStore {
    package func recall(_ message: MessageID, at now: Timestamp) async throws -> [TimelineEvent]? {
        try await write(at: now) { transaction in
            guard let row = try transaction.row("SELECT recalled FROM messages WHERE id = ?", [message.rawValue]) else {
                return nil
            }
            if row.timestamp("recalled") == nil { try transaction.recall(message) }
            return transaction.events
        }
    }

    package func recallAnswer(_ message: MessageID, limit: Int) async throws -> RecallAnswer? {
        try await pool.read { db in
            let transaction = SQLiteTransaction(db: db, now: Timestamp(millisecondsSince1970: 0))
            guard try transaction.row("SELECT 1 FROM messages WHERE id = ?", [message.rawValue]) != nil else {
                return nil
            }
            return RecallAnswer(
                id: message, state: .recalled, recall: try transaction.recallCounts(message),
                devices: try transaction.recallOutcomes(message, limit: limit))
        }
    }
}

/// A recall: the message is marked, what is queued is cancelled, and what may have arrived gets a removal.
extension SQLiteTransaction {
    /// Takes a message back from everyone.
    mutating func recall(_ message: MessageID) throws {
        try execute(
            "UPDATE messages SET recalled = ? WHERE id = ?", [now.millisecondsSince1970, message.rawValue])
        let users = try rows("SELECT user FROM inbox WHERE message = ? AND read IS NULL", [message.rawValue])
        let deliveries = try rows(
            "SELECT * FROM deliveries WHERE message = ? AND purpose <> 'removal' ORDER BY number", [message.rawValue])
        for row in deliveries {
            try withdraw(row, for: .recall)
        }
        for row in users { try queueBadge(for: row["user"], except: nil) }
    }

    func recallCounts(_ message: MessageID) throws -> [String: Int] {
        var counts: [String: Int] = [:]
        for row in try recallRows(message, limit: -1) {
            guard let outcome = Self.outcome(row, isRecalled: true) else { continue }
            counts[outcome.rawValue, default: 0] += 1
        }
        return counts
    }

    fileprivate func recallOutcomes(_ message: MessageID, limit: Int) throws -> [RecallAnswer.DeviceRecall] {
        try recallRows(message, limit: limit).compactMap { row in
            Self.outcome(row, isRecalled: true).map { RecallAnswer.DeviceRecall(device: row["device"], recall: $0) }
        }
    }

    /// How the recall of one delivery stands, from a row with the columns `removal` (the reason) and `confirmed`; `nil`
    /// when there is none.
    static func outcome(_ row: Row, isRecalled: Bool) -> RecallOutcome? {
        guard row["removal"] as String? != nil else { return isRecalled ? .neverSent : nil }
        return row.timestamp("confirmed") != nil ? .confirmed : .pending
    }

    private func recallRows(_ message: MessageID, limit: Int) throws -> [Row] {
        try rows(
            """
            SELECT deliveries.device, removals.reason AS removal, removals.confirmed FROM deliveries
                LEFT JOIN removals ON removals.device = deliveries.device AND removals.message = deliveries.message
            WHERE deliveries.message = ? AND deliveries.purpose = 'show' ORDER BY deliveries.device LIMIT ?
            """, [message.rawValue, limit])
    }
}
