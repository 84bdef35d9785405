import CarillonCore
import GRDB

extension SQLiteStore {
    package func timeline(
        _ message: MessageID, after device: String?, limit: Int, at now: Timestamp
    ) async throws -> Timeline? {
        try await pool.read { db in
            try SQLiteTransaction(db: db, now: now).timeline(message, after: device ?? "", limit: limit)
        }
    }
}

extension SQLiteTransaction {
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
}
