import CarillonCore
import Foundation
import GRDB

extension SQLiteStore {
    package func recall(
        _ message: MessageReference, notice: RecallNotice?, _ rules: SendingRules, at now: Timestamp
    ) async throws -> [TimelineEvent]? {
        let (isKnown, events) = try await writeInSteps(at: now) { transaction in
            guard let number = try transaction.number(of: message) else { return false }
            try transaction.recall(number, notice, rules)
            return true
        }
        return isKnown ? events : nil
    }

    package func recallAnswer(_ message: MessageReference, limit: Int) async throws -> RecallAnswer? {
        try await read { transaction in
            guard let number = try transaction.number(of: message) else { return nil }
            return RecallAnswer(
                id: message.id, state: .recalled, recall: try transaction.recallCounts(number, hasExpired: false),
                devices: try transaction.recallOutcomes(number, limit: limit))
        }
    }
}

/// A recall: the message is marked, so that nothing further is sent; then, step by step, what is queued is cancelled, and
/// what may have arrived gets a removal.
extension SQLiteTransaction {
    /// Takes a message back from everyone.
    mutating func recall(_ message: Int64, _ notice: RecallNotice?, _ rules: SendingRules) throws {
        guard let row = try row("SELECT recalled, notice, payload FROM messages WHERE number = ?", [message]) else {
            return
        }
        let isNew = row.timestamp("recalled") == nil
        let given = row["notice"] as Data? == nil ? try notice.flatMap { try self.notice($0, insteadOf: row) } : nil
        guard isNew || given != nil else { return }
        try execute(
            "UPDATE messages SET recalled = coalesce(recalled, ?), notice = coalesce(notice, ?), paused = NULL WHERE number = ?",
            [now.millisecondsSince1970, given, message])
        try dropWork(on: message)
        try begin(.recall(message: message, wait: rules.assuredWait.wholeMilliseconds))
    }

    /// A notice as it is kept; `nil` when the message has no text whose place it could take.
    private func notice(_ notice: RecallNotice, insteadOf row: Row) throws -> Data? {
        try row.payload("payload").aps.alert == nil ? nil : try CarillonJSON.encode(notice)
    }
}

/// How removals stand, counted and device by device.
extension SQLiteTransaction {
    /// How many devices stand where with the removal of a message that was recalled or has expired.
    func recallCounts(_ message: Int64, hasExpired: Bool) throws -> [String: Int] {
        var counts: [String: Int] = [:]
        let rows = try rows(
            """
            SELECT \(Self.standingColumns), count(*) AS count FROM deliveries \(Self.standingJoin)
            WHERE deliveries.message = ? AND deliveries.purpose = 'show' GROUP BY 1, 2, 3, 4, 5
            """, [message])
        for row in rows {
            guard let outcome = Self.standing(row, isWithdrawn: true, hasExpired: hasExpired).outcome else { continue }
            counts[outcome.rawValue, default: 0] += row["count"]
        }
        return counts
    }

    fileprivate func recallOutcomes(_ message: Int64, limit: Int) throws -> [RecallAnswer.DeviceRecall] {
        try rows(
            """
            SELECT \(Self.standingColumns), deliveries.device FROM deliveries \(Self.standingJoin)
            WHERE deliveries.message = ? AND deliveries.purpose = 'show' ORDER BY deliveries.device LIMIT ?
            """, [message, limit]
        ).compactMap { row in
            Self.standing(row, isWithdrawn: true, hasExpired: false).outcome.map {
                RecallAnswer.DeviceRecall(device: row["device"], recall: $0)
            }
        }
    }

    /// The columns that ``standing(_:isWithdrawn:hasExpired:)`` reads, from `deliveries` (a row with the purpose show)
    /// and what ``standingJoin`` adds.
    static let standingColumns =
        """
        removals.message IS NOT NULL AS is_requested, removals.confirmed IS NOT NULL AS is_confirmed,
        coalesce(notice.state = 'accepted' AND notice.revision >= removals.revision, 0) AS has_accepted_notice,
        deliveries.reach > 0 OR coalesce(fallback.reach, 0) > 0 AS may_have_arrived,
        deliveries.answers & \(ReceiptSet.settled.rawValue) <> 0 AS is_settled
        """

    static let standingJoin =
        """
        LEFT JOIN removals ON removals.device = deliveries.device AND removals.message = deliveries.message
        LEFT JOIN deliveries AS notice ON notice.message = deliveries.message AND notice.device = deliveries.device
            AND notice.purpose = 'notice'
        LEFT JOIN deliveries AS fallback ON fallback.message = deliveries.message
            AND fallback.device = deliveries.device AND fallback.purpose = 'fallback'
        """

    static func standing(_ row: Row, isWithdrawn: Bool, hasExpired: Bool) -> RemovalStanding {
        RemovalStanding(
            isWithdrawn: isWithdrawn, hasExpired: hasExpired, isRequested: row["is_requested"],
            isConfirmed: row["is_confirmed"], hasNotice: row["has_accepted_notice"],
            mayHaveArrived: row["may_have_arrived"], isSettled: row["is_settled"])
    }
}
