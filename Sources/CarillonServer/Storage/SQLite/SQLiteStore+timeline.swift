import CarillonCore
import GRDB

extension SQLiteStore {
    package func timeline(
        _ message: MessageReference, after device: String?, limit: Int, at now: Timestamp
    ) async throws -> Timeline? {
        try await read(at: now) { try $0.timeline(message, after: device ?? "", limit: limit) }
    }
}

extension SQLiteTransaction {
    fileprivate func timeline(_ message: MessageReference, after device: String, limit: Int) throws -> Timeline? {
        guard let number = try number(of: message),
            let head = try row("SELECT * FROM messages WHERE number = ?", [number])
        else { return nil }
        let deliveries = try rows(
            """
            SELECT deliveries.device, deliveries.state, \(Self.standingColumns) FROM deliveries \(Self.standingJoin)
            WHERE deliveries.message = ? AND deliveries.purpose = 'show' AND deliveries.device > ?
            ORDER BY deliveries.device LIMIT ?
            """, [number, device, limit + 1])
        let page = deliveries.prefix(limit)
        let isRecalled = head.timestamp("recalled") != nil
        let until = head.timestamp("until")
        let hasExpired = !isRecalled && head["remove_expired"] && until.map { $0 <= now } ?? false
        return Timeline(
            id: message.id,
            devices: try page.map { row in
                let events = try events(of: number, message.id, on: row["device"])
                let state: DeliveryState = try row.choice("state")
                let standing = Self.standing(row, isWithdrawn: isRecalled || hasExpired, hasExpired: hasExpired)
                return DeviceTimeline(
                    device: row["device"], state: state, recall: standing.outcome,
                    events: ExpiryInference.applied(to: events, state: state, until: until, now: now))
            },
            next: deliveries.count > limit ? page.last?["device"] : nil)
    }

    /// The newest events of one device, in the order in which they happened.
    private func events(of number: Int64, _ message: MessageID, on device: String) throws -> [TimelineEvent] {
        let newest = try rows(
            "SELECT * FROM events WHERE message = ? AND device = ? ORDER BY at DESC, number DESC LIMIT ?",
            [number, device, ServiceLimits.timelineEventsPerDevice])
        return try newest.reversed().map { try $0.event(about: message) }.inCausalOrder()
    }
}
