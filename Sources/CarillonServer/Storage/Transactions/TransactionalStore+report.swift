import CarillonCore

extension TransactionalStore {
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

extension StoreTransaction {
    fileprivate func report(_ message: MessageReference) throws -> NotificationReport? {
        let row = try row(
            """
            SELECT messages.*, apps.topic FROM messages JOIN apps ON apps.number = messages.app
            WHERE messages.app = ? AND messages.id = ?
            """, [message.app.rawValue, message.id.rawValue])
        guard let row else { return nil }
        let number: Int64 = row["number"]
        let ranged = try ranged(number)
        let chunks = ranged == nil ? [] : try chunks(of: number)
        let counts = try counts(number, devices: row["devices"], ranged, chunks)
        let recalled = row.timestamp("recalled")
        let until = row.timestamp("until")
        let state = try state(of: row, counts, until: until)
        let hasExpired = recalled == nil && row["remove_expired"] && until.map { $0 <= now } ?? false
        return NotificationReport(
            id: message.id, state: state, mode: try row.choice("mode"), topic: row["topic"], revision: row["revision"],
            acceptedAt: try row.requiredTimestamp("accepted"), until: until, recalledAt: recalled, counts: counts,
            recall: recalled == nil && !hasExpired ? nil : try recallCounts(number, hasExpired: hasExpired),
            replies: row["keeps_replies"] ? try replies(to: number) : nil, sendAt: row.timestamp("send_at"),
            progress: try ranged.map { try progress(of: $0, chunks) })
    }

    /// Where a message stands as a whole.
    private func state(
        of row: SQLRow, _ counts: NotificationReport.Counts, until: Timestamp?
    ) throws -> MessageState {
        // Devices whose turn has not come yet.
        let isBeingAddressed =
            try integer(
                """
                SELECT EXISTS (SELECT 1 FROM work WHERE message = ? AND kind = 'accept')
                    OR EXISTS (SELECT 1 FROM ranges WHERE message = ? AND open = 1)
                """, [row["number"] as Int64, row["number"] as Int64]) > 0
        let sendAt = row.timestamp("send_at")
        let state: MessageState =
            if row.timestamp("recalled") != nil {
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
        return state
    }

    private func replies(to message: Int64) throws -> Int {
        try integer(
            "SELECT count(DISTINCT device) FROM events WHERE message = ? AND reply IS NOT NULL", [message])
    }

    private func counts(
        _ message: Int64, devices: Int, _ ranged: RangedMessage?, _ chunks: [StoredChunk]
    ) throws -> NotificationReport.Counts {
        var counts = NotificationReport.Counts()
        counts.devices = devices
        let states = try rows(
            "SELECT state, count(*) AS count FROM deliveries WHERE message = ? AND purpose = 'show' GROUP BY state",
            [message])
        for row in states { counts[try row.choice("state") as DeliveryState] = row["count"] }
        counts.secondSends = try integer(
            "SELECT count(*) FROM deliveries WHERE message = ? AND purpose = 'show' AND attempt > 1", [message])
        if let ranged { add(chunks, of: ranged, to: &counts) } else { try addReceipts(about: message, to: &counts) }
        try addSecondAlerts(of: message, to: &counts)
        return counts
    }

    private func addReceipts(about message: Int64, to counts: inout NotificationReport.Counts) throws {
        let receipts = try rows(
            """
            SELECT event, count(DISTINCT device) AS count FROM events
            WHERE message = ? AND receipt IS NOT NULL GROUP BY event
            """, [message])
        for row in receipts { counts.add(row["count"], try row.choice("event")) }
    }

    private func addSecondAlerts(of message: Int64, to counts: inout NotificationReport.Counts) throws {
        counts.secondAlerts = try integer(
            """
            SELECT count(*) FROM (
                SELECT fallback.device FROM events AS fallback JOIN events AS shown
                    ON shown.message = fallback.message AND shown.device = fallback.device AND shown.event = 'shown'
                    AND shown.revision = fallback.revision AND shown.at < fallback.at
                WHERE fallback.message = ? AND fallback.purpose = 'fallback' AND fallback.event = 'accepted'
                UNION
                SELECT device FROM events WHERE message = ? AND event = 'shown' AND detail = ?) AS seen_twice
            """, [message, message, Receipt.shownAgain])
    }
}
