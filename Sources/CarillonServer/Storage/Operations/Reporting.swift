import CarillonCore

/// Reports on a message as a whole: its state, and counts of its devices.
struct Reporting: SessionPart {
    let session: StoreSession
    private let events: EventsTable
    private let ranges: RangesTable
    private let chunks: ChunksTable
    private let recalls: RemovalStandings

    init(_ session: StoreSession) {
        self.session = session
        events = EventsTable(session)
        ranges = RangesTable(session)
        chunks = ChunksTable(session)
        recalls = RemovalStandings(session)
    }

    func report(_ message: MessageReference) throws -> NotificationReport? {
        let row = try row(
            """
            SELECT messages.*, apps.topic FROM messages JOIN apps ON apps.number = messages.app
            WHERE messages.app = ? AND messages.id = ?
            """, [message.app.rawValue, message.id.rawValue])
        guard let row else { return nil }
        let number: Int64 = try row["number"]
        let ranged = try ranges.ranged(number)
        let chunks = ranged == nil ? [] : try self.chunks.chunks(of: number)
        var counts = try counts(number, devices: row["devices"], ranged, chunks)
        let recalled = row.timestamp("recalled")
        let until = row.timestamp("until")
        let lastMoment = try lastMoment(of: row)
        if let count = try unaddressed(row, counts, lastMoment) { counts[count] = counts.devices }
        let state = try state(of: row, counts, lastMoment)
        let hasExpired = try recalled == nil && row["remove_expired"] && until.map { $0 <= now } ?? false
        let local = try row.localSchedule()
        return NotificationReport(
            id: message.id, state: state, mode: try row.choice("mode"), topic: try row["topic"],
            revision: try row["revision"],
            acceptedAt: try row.requiredTimestamp("accepted"),
            until: MessageEnd(until: until, isNowOrNever: try row["now_or_never"]), recalledAt: recalled,
            counts: counts,
            recall: recalled == nil && !hasExpired ? nil : try recalls.recallCounts(number, hasExpired: hasExpired),
            replies: try row["keeps_replies"] ? try events.replies(to: number) : nil, sendAt: row.timestamp("send_at"),
            progress: try ranged.map { try progress(of: $0, chunks) },
            reason: try row.nobody(), campaign: row.text("campaign"),
            localTime: try local.map { LocalTimeReport($0, waits: try waits(for: number, ranged, chunks)) })
    }

    /// Returns the time after which no push of a message is sent; `nil` if there is no such time.
    private func lastMoment(of row: SQLRow) throws -> Timestamp? {
        guard try row["now_or_never"] else { return row.timestamp("until") }
        let accepted = try row.requiredTimestamp("accepted")
        let lifetime = SendingRules().lifetime(isNowOrNever: true, isRanged: try row["ranged"])
        let start = try row.localSchedule()?.latest ?? row.timestamp("send_at") ?? accepted
        return max(accepted, start) + lifetime
    }

    /// Returns the moments for which devices of a message in local time wait, with the number of devices of each.
    private func waits(
        for message: Int64, _ ranged: RangedMessage?, _ chunks: [StoredChunk]
    ) throws -> [Timestamp: Int] {
        let rows = try rows(
            """
            SELECT due, count(*) AS count FROM deliveries
            WHERE message = ? AND purpose = 'show' AND state = 'queued' AND tries = 0 AND due > ? GROUP BY due
            """, [message, now.millisecondsSince1970])
        var waits: [Timestamp: Int] = [:]
        for row in rows { waits[try row.requiredTimestamp("due"), default: 0] += try row["count"] }
        for chunk in chunks.map(\.chunk) where chunk.revision == ranged?.revision {
            guard let due = chunk.due, due > now, chunk.isOpen else { continue }
            waits[due, default: 0] += chunk.waiting(limit: .max).count
        }
        return waits
    }

    /// Returns the state of a message as a whole, from its row and from counts of its devices.
    ///
    /// A message that is delivered now or never has expired only if nothing of it was sent: the phones keep what they got.
    private func state(
        of row: SQLRow, _ counts: NotificationReport.Counts, _ lastMoment: Timestamp?
    ) throws -> MessageState {
        // The message may have devices that have not been addressed yet.
        let isBeingAddressed =
            try integer(
                """
                SELECT EXISTS (SELECT 1 FROM work WHERE message = ? AND kind = 'accept')
                    OR EXISTS (SELECT 1 FROM ranges WHERE message = ? AND open = 1)
                """, [try row["number"] as Int64, try row["number"] as Int64]) > 0
        let sendAt = row.timestamp("send_at")
        let state: MessageState =
            if row.timestamp("recalled") != nil {
                .recalled
            } else if row.timestamp("cancelled") != nil {
                .cancelled
            } else if let lastMoment, lastMoment <= now,
                try !row["now_or_never"]
                    || counts.areUnsent
                        && (isBeingAddressed || counts.devices > 0 || isUnplanned(row, counts))
            {
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

    /// Whether the end of a message came before any of its devices was found.
    ///
    /// For a message to nobody, the row has the reason.
    private func isUnplanned(_ row: SQLRow, _ counts: NotificationReport.Counts) throws -> Bool {
        try row["ranged"] && counts.devices == 0 && row.nobody() == nil
    }

    /// Returns the count that all devices of a scheduled message belong to, if the message was stopped before its time, or has ended
    /// before it could be sent; `nil` for any other message.
    ///
    /// Such a message was addressed to no device, so no delivery tells of it.
    private func unaddressed(
        _ row: SQLRow, _ counts: NotificationReport.Counts, _ lastMoment: Timestamp?
    ) throws -> DeliveryState? {
        guard let sendAt = row.timestamp("send_at"), try !row["ranged"] as Bool else { return nil }
        if let stopped = row.timestamp("cancelled") ?? row.timestamp("recalled") {
            return stopped < sendAt ? .cancelled : nil
        }
        guard let lastMoment, lastMoment <= now, counts.deliveries == 0 else { return nil }
        return .expired
    }

    private func counts(
        _ message: Int64, devices: Int, _ ranged: RangedMessage?, _ chunks: [StoredChunk]
    ) throws -> NotificationReport.Counts {
        var counts = NotificationReport.Counts()
        counts.devices = devices
        let states = try rows(
            "SELECT state, count(*) AS count FROM deliveries WHERE message = ? AND purpose = 'show' GROUP BY state",
            [message])
        for row in states { counts[try row.choice("state") as DeliveryState] = try row["count"] }
        counts.secondSends = try integer(
            "SELECT count(*) FROM deliveries WHERE message = ? AND purpose = 'show' AND attempt > 1", [message])
        if let ranged {
            let expiredRows = counts.expired
            add(chunks, of: ranged, to: &counts)
            if expiredRows > 0 { counts.expired -= try expiredTwice(ranged, chunks) }
        } else {
            try addReceipts(about: message, to: &counts)
        }
        try addSecondAlerts(of: message, to: &counts)
        return counts
    }

    /// Adds the devices that have reported something about a message to its counts.
    ///
    /// An attempt without an answer may arrive although its push expired, and then the phone reports the end too. Such a device has
    /// been counted already.
    private func addReceipts(about message: Int64, to counts: inout NotificationReport.Counts) throws {
        let receipts = try rows(
            """
            SELECT event, count(DISTINCT device) AS count FROM events
            WHERE message = ? AND receipt IS NOT NULL AND (event <> 'expired' OR NOT EXISTS (
                SELECT 1 FROM deliveries WHERE deliveries.message = events.message
                    AND deliveries.device = events.device AND deliveries.purpose = 'show' AND deliveries.state = 'expired'))
            GROUP BY event
            """, [message])
        for row in receipts { try counts.add(row["count"], try row.choice("event")) }
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

    // MARK: Messages whose deliveries are kept as bitmaps

    /// Adds the devices whose deliveries are stored in the bits of chunks (``RangeChunk``), not in rows, to a message's counts.
    func add(_ chunks: [StoredChunk], of message: RangedMessage, to counts: inout NotificationReport.Counts) {
        counts.devices = 0
        for chunk in chunks.map(\.chunk) {
            if chunk.revision == message.revision { counts.devices += chunk[.addressed].count }
            for state in DeliveryState.allCases { counts[state] += chunk.devices(in: state).count }
            for event in ReceiptEvent.allCases where event != .expired {
                counts.add(chunk[ChunkMark(event)].count, event)
            }
            // A device belongs to a group once, also if its push expired and the phone has reported the end of another attempt.
            counts.add(chunk[ChunkMark.expired].subtracting(chunk.devices(in: DeliveryState.expired)).count, .expired)
        }
    }

    /// Returns the number of devices with rows whose push expired, and whose end the bits of a chunk tell as well.
    private func expiredTwice(_ message: RangedMessage, _ chunks: [StoredChunk]) throws -> Int {
        let told = chunks.filter { !$0.chunk[ChunkMark.expired].isEmpty }
        guard !told.isEmpty else { return 0 }
        let ordinals = try rows(
            """
            SELECT devices.ordinal FROM deliveries JOIN devices ON devices.id = deliveries.device
            WHERE deliveries.message = ? AND deliveries.purpose = 'show' AND deliveries.state = 'expired'
                AND devices.ordinal IS NOT NULL
            """, [message.number])
        return try ordinals.count { row in
            let ordinal: Int64 = try row["ordinal"]
            return told.contains {
                ordinal >= $0.first && $0.chunk[ChunkMark.expired].contains(Int(ordinal - $0.first))
            }
        }
    }

    /// Returns the progress of a message whose deliveries are kept as bitmaps, a bit for each device (``RangeRules``).
    func progress(of message: RangedMessage, _ chunks: [StoredChunk]) throws -> NotificationReport.Progress {
        let chunks = chunks.filter { $0.chunk.revision == message.revision }
        var progress = NotificationReport.Progress(decided: Int(message.planned), total: Int(message.last ?? 0))
        guard message.local == nil else {
            // The sending waits most of the time, so that an average of it would mislead.
            if !message.isPaused { progress.finishesAt = chunks.filter(\.chunk.isOpen).compactMap(\.chunk.due).max() }
            return progress
        }
        let handed = chunks.reduce(0) { $0 + $1.chunk[.handed].count }
        guard let began = message.began, let last = chunks.compactMap(\.chunk.handedAt).max(), handed > 0 else {
            return progress
        }
        let seconds = Double((last - began).wholeMilliseconds) / 1000
        guard seconds > 0 else { return progress }
        let perSecond = Double(handed) / seconds
        progress.perSecond = perSecond
        let isOpen = try ranges.isOpen(message.number)
        guard isOpen || chunks.contains(where: \.chunk.isOpen), !message.isPaused, message.planned > 0 else {
            return progress
        }
        // Assumes that the audience's share of the devices is equal among ordinals with and without chunks.
        let addressed = chunks.reduce(0) { $0 + $1.chunk[.addressed].count }
        let waiting = chunks.reduce(0) { $0 + $1.chunk.waiting(limit: .max).count }
        let share = Double(addressed) / Double(message.planned)
        let undecided = isOpen ? Double((message.last ?? 0) - message.planned) * share : 0
        progress.finishesAt = now + .milliseconds(Int64((Double(waiting) + undecided) / perSecond * 1000))
        return progress
    }
}
