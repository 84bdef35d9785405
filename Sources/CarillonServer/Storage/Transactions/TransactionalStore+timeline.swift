import CarillonCore

extension TransactionalStore {
    package func timeline(
        _ message: MessageReference, after device: String?, limit: Int, at now: Timestamp
    ) async throws -> Timeline? {
        try await read(at: now) { try $0.timeline(message, after: device ?? "", limit: limit) }
    }
}

extension StoreTransaction {
    /// What the timelines of a message have in common.
    private struct Head {
        var number: Int64
        var id: MessageID
        var until: Timestamp?
        var hasExpired: Bool
        var isWithdrawn: Bool
    }

    fileprivate func timeline(_ message: MessageReference, after device: String, limit: Int) throws -> Timeline? {
        guard let number = try number(of: message),
            let row = try row("SELECT * FROM messages WHERE number = ?", [number])
        else { return nil }
        let isRecalled = row.timestamp("recalled") != nil
        let until = row.timestamp("until")
        let hasExpired = !isRecalled && row["remove_expired"] && until.map { $0 <= now } ?? false
        let head = Head(
            number: number, id: message.id, until: until, hasExpired: hasExpired, isWithdrawn: isRecalled || hasExpired)
        let ranged = try ranged(number)
        // Rows are found at once; who has none is looked for among the app's devices, and rows beyond that wait.
        let others = try ranged.map { try devices(of: $0, after: device, limit: limit + 1) }
        let rows = try rowTimelines(head, ranged, after: device, upTo: others?.end, limit: limit + 1)
        let plain = try others?.found.prefix(limit + 1).map { try timeline(head, ranged, $0.id, $0.place) } ?? []
        let all = (rows + plain).sorted { $0.device < $1.device }
        let page = Array(all.prefix(limit))
        return Timeline(
            id: message.id, devices: page, next: all.count > limit ? page.last?.device : others?.end)
    }

    private func rowTimelines(
        _ head: Head, _ ranged: RangedMessage?, after device: String, upTo last: String?, limit: Int
    ) throws -> [DeviceTimeline] {
        try rows(
            """
            SELECT deliveries.device, deliveries.state, \(Self.standingColumns) FROM deliveries \(Self.standingJoin)
            WHERE deliveries.message = ? AND deliveries.purpose = 'show' AND deliveries.device > ?
                AND (CAST(? AS TEXT) IS NULL OR deliveries.device <= ?)
            ORDER BY deliveries.device LIMIT ?
            """, [head.number, device, last, last, limit]
        ).map { row in
            let id: String = row["device"]
            var events = try events(of: head.number, head.id, on: id)
            if let ranged, let place = try place(of: head.number, on: id) {
                let bits = try self.events(at: place, of: ranged, on: id)
                let further = bits.filter { bit in
                    !events.contains { $0.event == bit.event && $0.purpose == bit.purpose }
                }
                events = (further + events).inCausalOrder()
            }
            let standing = Self.standing(row, isWithdrawn: head.isWithdrawn, hasExpired: head.hasExpired)
            return timeline(head, id, try row.choice("state"), standing.outcome, events)
        }
    }

    private func timeline(
        _ head: Head, _ ranged: RangedMessage?, _ device: String, _ place: ChunkPlace
    ) throws -> DeviceTimeline {
        guard let ranged, let delivery = try chunk(place.chunk)?.chunk.delivery(at: place.place, of: ranged) else {
            throw ServiceError(.storage, "a device is missing from its chunk")
        }
        let outcome = try outcome(
            at: place, of: ranged, isWithdrawn: head.isWithdrawn, hasExpired: head.hasExpired)
        return timeline(
            head, device, delivery.show.state, outcome,
            try events(at: place, of: ranged, on: device).inCausalOrder())
    }

    private func timeline(
        _ head: Head, _ device: String, _ state: DeliveryState, _ outcome: RecallOutcome?, _ events: [TimelineEvent]
    ) -> DeviceTimeline {
        DeviceTimeline(
            device: device, state: state, recall: outcome,
            events: ExpiryInference.applied(to: events, state: state, until: head.until, now: now))
    }

    /// The newest events of one device, in the order in which they happened.
    private func events(of number: Int64, _ message: MessageID, on device: String) throws -> [TimelineEvent] {
        let newest = try rows(
            "SELECT * FROM events WHERE message = ? AND device = ? ORDER BY at DESC, number DESC LIMIT ?",
            [number, device, ServiceLimits.timelineEventsPerDevice])
        return try newest.reversed().map { try $0.event(about: message) }.inCausalOrder()
    }
}
