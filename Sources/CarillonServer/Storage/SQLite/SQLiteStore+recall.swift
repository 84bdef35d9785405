import CarillonCore
import GRDB

extension SQLiteStore {
    package func recall(_ message: MessageReference, at now: Timestamp) async throws -> [TimelineEvent]? {
        try await write(at: now) { transaction in
            guard let number = try transaction.number(of: message) else { return nil }
            let row = try transaction.row("SELECT recalled FROM messages WHERE number = ?", [number])
            if row?.timestamp("recalled") == nil { try transaction.recall(number) }
            return transaction.events
        }
    }

    package func recallAnswer(_ message: MessageReference, limit: Int) async throws -> RecallAnswer? {
        try await read { transaction in
            guard let number = try transaction.number(of: message) else { return nil }
            return RecallAnswer(
                id: message.id, state: .recalled, recall: try transaction.recallCounts(number),
                devices: try transaction.recallOutcomes(number, limit: limit))
        }
    }
}

/// A recall: the message is marked, what is queued is cancelled, and what may have arrived gets a removal.
extension SQLiteTransaction {
    /// Takes a message back from everyone.
    mutating func recall(_ message: Int64) throws {
        try execute("UPDATE messages SET recalled = ? WHERE number = ?", [now.millisecondsSince1970, message])
        let users = try rows("SELECT app, user FROM inbox WHERE message = ? AND read IS NULL", [message])
        try receive(.withdrawn(.recall), for: try deliveries(where: "show.message = ? ORDER BY show.number", [message]))
        for user in try users.compactMap({ try $0.user() }) { try queueBadge(for: user, except: nil) }
    }

    func recallCounts(_ message: Int64) throws -> [String: Int] {
        var counts: [String: Int] = [:]
        for row in try recallRows(message, limit: -1) {
            guard let outcome = Self.outcome(row, isRecalled: true) else { continue }
            counts[outcome.rawValue, default: 0] += 1
        }
        return counts
    }

    fileprivate func recallOutcomes(_ message: Int64, limit: Int) throws -> [RecallAnswer.DeviceRecall] {
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

    private func recallRows(_ message: Int64, limit: Int) throws -> [Row] {
        try rows(
            """
            SELECT deliveries.device, removals.reason AS removal, removals.confirmed FROM deliveries
                LEFT JOIN removals ON removals.device = deliveries.device AND removals.message = deliveries.message
            WHERE deliveries.message = ? AND deliveries.purpose = 'show' ORDER BY deliveries.device LIMIT ?
            """, [message, limit])
    }
}
