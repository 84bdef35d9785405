import CarillonCore
import Foundation

extension TransactionalStore {
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
extension StoreTransaction {
    /// Takes a message back from everyone.
    mutating func recall(_ message: Int64, _ notice: RecallNotice?, _ rules: SendingRules) throws {
        guard let row = try row("SELECT recalled, paused, notice, payload FROM messages WHERE number = ?", [message])
        else {
            return
        }
        let isNew = row.timestamp("recalled") == nil
        let given = row["notice"] as Data? == nil ? try notice.flatMap { try self.notice($0, insteadOf: row) } : nil
        guard isNew || given != nil else { return }
        try execute(
            "UPDATE messages SET recalled = coalesce(recalled, ?), notice = coalesce(notice, ?), paused = NULL WHERE number = ?",
            [now.millisecondsSince1970, given, message])
        try dropWork(on: message)
        // A recall is not held up by a pause, nor is its notice.
        if row.timestamp("paused") != nil { try holdRange(message, false) }
        try markRange(message, .recalled)
        try begin(.recall(message: message, wait: rules.assuredWait.wholeMilliseconds))
    }

    /// A notice as it is kept; `nil` when the message has no text whose place it could take.
    private func notice(_ notice: RecallNotice, insteadOf row: SQLRow) throws -> Data? {
        try row.payload("payload").aps.alert == nil ? nil : try CarillonJSON.encode(notice)
    }
}

/// How removals stand, counted and device by device.
extension StoreTransaction {
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
        if try ranged(message) != nil {
            add(try chunks(of: message), to: &counts, hasExpired: hasExpired)
        }
        return counts
    }

    fileprivate func recallOutcomes(_ message: Int64, limit: Int) throws -> [RecallAnswer.DeviceRecall] {
        let rows = try recallOutcomesOfRows(message, limit: limit)
        guard let ranged = try ranged(message) else { return rows }
        let others = try devices(of: ranged, after: "", limit: limit).found.compactMap { device in
            try outcome(at: device.place, of: ranged, isWithdrawn: true, hasExpired: false).map {
                RecallAnswer.DeviceRecall(device: device.id, recall: $0)
            }
        }
        return Array((rows + others).sorted { $0.device < $1.device }.prefix(limit))
    }

    /// How a device that has no rows stands with the removal.
    func outcome(
        at place: ChunkPlace, of message: RangedMessage, isWithdrawn: Bool, hasExpired: Bool
    ) throws -> RecallOutcome? {
        guard let delivery = try chunk(place.chunk)?.chunk.delivery(at: place.place, of: message) else { return nil }
        return RemovalStanding(
            isWithdrawn: isWithdrawn, hasExpired: hasExpired, isRequested: delivery.removal != nil,
            isConfirmed: delivery.removal?.confirmed != nil, hasNotice: false,
            mayHaveArrived: delivery.mayHaveArrived, isSettled: delivery.answers.isSettled
        ).outcome
    }

    private func recallOutcomesOfRows(_ message: Int64, limit: Int) throws -> [RecallAnswer.DeviceRecall] {
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
        CASE WHEN notice.state = 'accepted' AND notice.revision >= removals.revision THEN 1 ELSE 0 END
            AS has_accepted_notice,
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

    static func standing(_ row: SQLRow, isWithdrawn: Bool, hasExpired: Bool) -> RemovalStanding {
        RemovalStanding(
            isWithdrawn: isWithdrawn, hasExpired: hasExpired, isRequested: row["is_requested"],
            isConfirmed: row["is_confirmed"], hasNotice: row["has_accepted_notice"],
            mayHaveArrived: row["may_have_arrived"], isSettled: row["is_settled"])
    }
}
