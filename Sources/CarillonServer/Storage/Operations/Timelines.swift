import CarillonCore

/// Reads the timelines of a message on its devices, page by page.
struct Timelines: SessionPart {
    let session: StoreSession
    private let messages: MessagesTable
    private let events: EventsTable
    private let ranges: RangesTable
    private let chunks: ChunksTable
    private let bits: DeviceChunks
    private let recalls: RemovalStandings

    init(_ session: StoreSession) {
        self.session = session
        messages = MessagesTable(session)
        events = EventsTable(session)
        ranges = RangesTable(session)
        chunks = ChunksTable(session)
        bits = DeviceChunks(session)
        recalls = RemovalStandings(session)
    }

    /// The properties of a message that are equal in its timelines on all devices.
    private struct Head {
        var number: Int64
        var id: MessageID
        var until: Timestamp?
        var hasExpired: Bool
        var isWithdrawn: Bool
    }

    func timeline(_ message: MessageReference, after device: String, limit: Int) throws -> Timeline? {
        guard let number = try messages.number(of: message),
            let row = try row("SELECT * FROM messages WHERE number = ?", [number])
        else { return nil }
        let isRecalled = row.timestamp("recalled") != nil
        let until = row.timestamp("until")
        let hasExpired = try !isRecalled && row["remove_expired"] && until.map { $0 <= now } ?? false
        let head = Head(
            number: number, id: message.id, until: until, hasExpired: hasExpired, isWithdrawn: isRecalled || hasExpired)
        let ranged = try ranges.ranged(number)
        // Devices with rows are found at once. Devices in chunks are searched for among the app's devices, and the search may
        // stop at an id before the page is full. Rows with greater ids belong to the next page.
        let others = try ranged.map { try bits.devices(of: $0, after: device, limit: limit + 1) }
        let rows = try rowTimelines(head, ranged, after: device, upTo: others?.end, limit: limit + 1)
        let plain = try others?.found.prefix(limit + 1).map { try timeline(head, ranged, $0.id, $0.place) } ?? []
        let all = (rows + plain).sorted { $0.device < $1.device }
        let page = Array(all.prefix(limit))
        return Timeline(
            id: message.id, devices: page, next: all.count > limit ? page.last?.device : others?.end)
    }

    private func timeline(
        _ head: Head, _ ranged: RangedMessage?, _ device: String, _ place: ChunkPlace
    ) throws -> DeviceTimeline {
        guard let ranged, let delivery = try chunks.chunk(place.chunk)?.chunk.delivery(at: place.place, of: ranged)
        else {
            throw ServiceError(.storage, "a device is missing from its chunk")
        }
        let outcome = try recalls.outcome(
            at: place, of: ranged, isWithdrawn: head.isWithdrawn, hasExpired: head.hasExpired)
        return timeline(
            head, device, delivery.show.state, outcome,
            try bits.events(at: place, of: ranged, on: device).inCausalOrder())
    }

    private func timeline(
        _ head: Head, _ device: String, _ state: DeliveryState, _ outcome: RecallOutcome?, _ events: [TimelineEvent]
    ) -> DeviceTimeline {
        DeviceTimeline(
            device: device, state: state, recall: outcome,
            events: ExpiryInference.applied(to: events, state: state, until: head.until, now: now))
    }

    private func rowTimelines(
        _ head: Head, _ ranged: RangedMessage?, after device: String, upTo last: String?, limit: Int
    ) throws -> [DeviceTimeline] {
        try rows(
            """
            SELECT deliveries.device, deliveries.state, \(RemovalStandings.standingColumns) FROM deliveries \(RemovalStandings.standingJoin)
            WHERE deliveries.message = ? AND deliveries.purpose = 'show' AND deliveries.device > ?
                AND (CAST(? AS TEXT) IS NULL OR deliveries.device <= ?)
            ORDER BY deliveries.device LIMIT ?
            """, [head.number, device, last, last, limit]
        ).map { row in
            let id: String = try row["device"]
            var events = try self.events.events(of: head.number, head.id, on: id)
            if let ranged, let place = try self.bits.place(of: head.number, on: id) {
                let bits = try bits.events(at: place, of: ranged, on: id)
                let further = bits.filter { bit in
                    !events.contains { $0.event == bit.event && $0.purpose == bit.purpose }
                }
                events = (further + events).inCausalOrder()
            }
            let standing = try RemovalStandings.standing(
                row, isWithdrawn: head.isWithdrawn, hasExpired: head.hasExpired)
            return timeline(head, id, try row.choice("state"), standing.outcome, events)
        }
    }
}
