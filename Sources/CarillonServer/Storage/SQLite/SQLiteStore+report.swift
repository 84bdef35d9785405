import CarillonCore
import GRDB

extension SQLiteStore {
    package func report(_ message: MessageReference, at now: Timestamp) async throws -> NotificationReport? {
        try await read(at: now) { try $0.report(message) }
    }

    package func count(_ audience: Audience, of app: AppReference, at now: Timestamp) async throws -> Int {
        try await read(at: now) { try $0.count(audience, of: app.number) }
    }

    package func locales(
        _ audience: Audience, of app: AppReference, at now: Timestamp
    ) async throws -> [String?: Int] {
        try await read(at: now) { try $0.locales(audience, of: app.number) }
    }
}

extension SQLiteTransaction {
    fileprivate func report(_ message: MessageReference) throws -> NotificationReport? {
        let row = try row(
            """
            SELECT messages.*, apps.topic FROM messages JOIN apps ON apps.number = messages.app
            WHERE messages.app = ? AND messages.id = ?
            """, [message.app.rawValue, message.id.rawValue])
        guard let row else { return nil }
        let number: Int64 = row["number"]
        let counts = try counts(number, devices: row["devices"])
        let recalled = row.timestamp("recalled")
        let until = row.timestamp("until")
        // Devices whose turn has not come yet.
        let isBeingAddressed =
            try integer(
                "SELECT count(*) FROM work WHERE message = ? AND kind = 'accept'", [number]) > 0
        let sendAt = row.timestamp("send_at")
        let state: MessageState =
            if recalled != nil {
                .recalled
            } else if row.timestamp("cancelled") != nil {
                .cancelled
            } else if let until, until <= now {
                .expired
            } else if row.timestamp("paused") != nil {
                .paused
            } else if isBeingAddressed, let sendAt, sendAt > now {
                .scheduled
            } else if counts.queued == 0, !isBeingAddressed {
                .sent
            } else {
                counts.queued == counts.devices ? .accepted : .sending
            }
        let hasExpired = recalled == nil && row["remove_expired"] && until.map { $0 <= now } ?? false
        return NotificationReport(
            id: message.id, state: state, mode: try row.choice("mode"), topic: row["topic"], revision: row["revision"],
            acceptedAt: try row.requiredTimestamp("accepted"), until: until, recalledAt: recalled, counts: counts,
            recall: recalled == nil && !hasExpired ? nil : try recallCounts(number, hasExpired: hasExpired),
            replies: row["keeps_replies"] ? try replies(to: number) : nil, sendAt: sendAt)
    }

    private func replies(to message: Int64) throws -> Int {
        try integer(
            "SELECT count(DISTINCT device) FROM events WHERE message = ? AND reply IS NOT NULL", [message])
    }

    private func counts(_ message: Int64, devices: Int) throws -> NotificationReport.Counts {
        var counts = NotificationReport.Counts()
        counts.devices = devices
        let states = try rows(
            "SELECT state, count(*) AS count FROM deliveries WHERE message = ? AND purpose = 'show' GROUP BY state",
            [message])
        for row in states { counts[try row.choice("state") as DeliveryState] = row["count"] }
        let receipts = try rows(
            """
            SELECT event, count(DISTINCT device) AS count FROM events
            WHERE message = ? AND receipt IS NOT NULL GROUP BY event
            """, [message])
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
            """, [message, message, Receipt.shownAgain])
        return counts
    }
}
