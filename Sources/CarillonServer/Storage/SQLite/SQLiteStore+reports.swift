import CarillonCore
import GRDB

extension SQLiteStore {
    public func report(_ message: MessageID, at now: Timestamp) async throws -> NotificationReport? {
        try await pool.read { db in try SQLiteTransaction(db: db, now: now).report(message) }
    }

    public func timeline(
        _ message: MessageID, after device: String?, limit: Int, at now: Timestamp
    ) async throws -> Timeline? {
        try await pool.read { db in
            try SQLiteTransaction(db: db, now: now).timeline(message, after: device ?? "", limit: limit)
        }
    }

    public func recallAnswer(_ message: MessageID, limit: Int) async throws -> RecallAnswer? {
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

extension SQLiteTransaction {
    fileprivate func report(_ message: MessageID) throws -> NotificationReport? {
        guard let row = try row("SELECT * FROM messages WHERE id = ?", [message.rawValue]) else { return nil }
        let counts = try counts(message, devices: row["devices"])
        let recalled = row.timestamp("recalled")
        let until = row.timestamp("until")
        let state: MessageState =
            if recalled != nil {
                .recalled
            } else if let until, until <= now {
                .expired
            } else if counts.queued == 0 {
                .sent
            } else {
                counts.queued == counts.devices ? .accepted : .sending
            }
        return NotificationReport(
            id: message, state: state, mode: try row.choice("mode"), topic: row["topic"], revision: row["revision"],
            acceptedAt: try row.requiredTimestamp("accepted"), until: until, recalledAt: recalled, counts: counts,
            recall: recalled == nil ? nil : try recallCounts(message))
    }

    private func counts(_ message: MessageID, devices: Int) throws -> NotificationReport.Counts {
        var counts = NotificationReport.Counts()
        counts.devices = devices
        let states = try rows(
            "SELECT state, count(*) AS count FROM deliveries WHERE message = ? AND purpose = 'show' GROUP BY state",
            [message.rawValue])
        for row in states { counts[try row.choice("state") as DeliveryState] = row["count"] }
        let receipts = try rows(
            """
            SELECT event, count(DISTINCT device) AS count FROM events
            WHERE message = ? AND receipt IS NOT NULL GROUP BY event
            """, [message.rawValue])
        for row in receipts { counts.add(row["count"], try row.choice("event")) }
        counts.secondAlerts = try integer(
            """
            SELECT count(*) FROM (
                SELECT fallback.device FROM events AS fallback JOIN events AS shown
                    ON shown.message = fallback.message AND shown.device = fallback.device AND shown.event = 'shown'
                    AND shown.revision = fallback.revision AND shown.at < fallback.at
                WHERE fallback.message = ? AND fallback.purpose = 'fallback' AND fallback.event = 'accepted'
                UNION
                SELECT device FROM events WHERE message = ? AND event = 'shown' AND detail = ?)
            """, [message.rawValue, message.rawValue, Receipt.shownAgain])
        return counts
    }

    fileprivate func timeline(_ message: MessageID, after device: String, limit: Int) throws -> Timeline? {
        guard let head = try row("SELECT * FROM messages WHERE id = ?", [message.rawValue]) else { return nil }
        let deliveries = try rows(
            """
            SELECT deliveries.*, removals.reason AS removal, removals.confirmed FROM deliveries
                LEFT JOIN removals ON removals.device = deliveries.device AND removals.message = deliveries.message
            WHERE deliveries.message = ? AND deliveries.purpose = 'show' AND deliveries.device > ?
            ORDER BY deliveries.device LIMIT ?
            """, [message.rawValue, device, limit + 1])
        let page = deliveries.prefix(limit)
        let isRecalled = head.timestamp("recalled") != nil
        return Timeline(
            id: message,
            devices: try page.map { row in
                let events = try events(of: message, on: row["device"])
                let state: DeliveryState = try row.choice("state")
                return DeviceTimeline(
                    device: row["device"], state: state, recall: Self.outcome(row, isRecalled: isRecalled),
                    events: ExpiryInference.applied(
                        to: events, state: state, until: head.timestamp("until"), now: now))
            },
            next: deliveries.count > limit ? page.last?["device"] : nil)
    }

    /// The newest events of one device, in the order in which they happened.
    private func events(of message: MessageID, on device: String) throws -> [TimelineEvent] {
        let newest = try rows(
            "SELECT * FROM events WHERE message = ? AND device = ? ORDER BY at DESC, number DESC LIMIT ?",
            [message.rawValue, device, ServiceLimits.timelineEventsPerDevice])
        return try newest.reversed().map { try $0.event() }.inCausalOrder()
    }

    private static func outcome(_ row: Row, isRecalled: Bool) -> RecallOutcome? {
        guard row["removal"] as String? != nil else { return isRecalled ? .neverSent : nil }
        return row.timestamp("confirmed") != nil ? .confirmed : .pending
    }

    fileprivate func recallCounts(_ message: MessageID) throws -> [String: Int] {
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

    private func recallRows(_ message: MessageID, limit: Int) throws -> [Row] {
        try rows(
            """
            SELECT deliveries.device, removals.reason AS removal, removals.confirmed FROM deliveries
                LEFT JOIN removals ON removals.device = deliveries.device AND removals.message = deliveries.message
            WHERE deliveries.message = ? AND deliveries.purpose = 'show' ORDER BY deliveries.device LIMIT ?
            """, [message.rawValue, limit])
    }
}
