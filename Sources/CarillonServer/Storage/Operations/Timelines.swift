import CarillonCore

/// The place in the order of a message's timelines at which a page ends, as the answer to a backend names it.
///
/// It is a device's id, or a position in a ``RangeChunk`` with a colon, which no id has.
struct TimelineMark {
    let text: String
    /// The position after which the page begins; `nil` if the mark is a device's id, or if the page is the first.
    let place: ChunkPlace?

    init(_ text: String) {
        self.text = text
        let numbers = text.split(separator: ":").map { Int64($0) }
        guard numbers.count == 2, let chunk = numbers[0], let index = numbers[1].flatMap({ Int(exactly: $0) }),
            chunk > 0, (0...Int(UInt16.max)).contains(index)
        else {
            place = nil
            return
        }
        place = ChunkPlace(chunk: chunk, place: index)
    }

    init(_ place: ChunkPlace) { (text, self.place) = ("\(place.chunk):\(place.place)", place) }

    /// Whether the page begins among the devices whose deliveries are stored in chunks.
    var isAmongPlaces: Bool { text.isEmpty || place != nil }
    /// The device after which the page begins, among those with rows.
    var device: String { isAmongPlaces ? "" : text }
}

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
        var end: MessageEnd?
        var hasExpired: Bool
        var isWithdrawn: Bool
    }

    func timeline(_ message: MessageReference, after text: String, limit: Int) throws -> Timeline? {
        guard let number = try messages.number(of: message),
            let row = try row("SELECT * FROM messages WHERE number = ?", [number])
        else { return nil }
        let isRecalled = row.timestamp("recalled") != nil
        let until = row.timestamp("until")
        let hasExpired = try !isRecalled && row["remove_expired"] && until.map { $0 <= now } ?? false
        let head = Head(
            number: number, id: message.id,
            end: MessageEnd(until: until, isNowOrNever: try row["now_or_never"]),
            hasExpired: hasExpired, isWithdrawn: isRecalled || hasExpired)
        var timeline = try timeline(head, after: TimelineMark(text), limit)
        timeline.reason = try row.nobody()
        if let local = try row.localSchedule() { try tell(local, in: &timeline, of: number) }
        return timeline
    }

    /// Adds to the timelines of a message in local time for what a device waits, or why its chunk skips it.
    private func tell(_ local: LocalSchedule, in timeline: inout Timeline, of message: Int64) throws {
        let ranged = try ranges.ranged(message)
        let concerned = timeline.devices.filter { $0.state == .queued || $0.state == .skipped }.map(\.device)
        let rows = try rows(
            """
            SELECT devices.id, devices.time_zone, devices.ordinal, (SELECT due FROM deliveries
                WHERE message = ? AND device = devices.id AND purpose = 'show') AS due
            FROM devices WHERE \(dialect.isAmongTexts("devices.id"))
            """, [message, try Self.json(concerned)])
        let found = try Dictionary(rows.map { try ($0["id"] as String, $0) }) { first, _ in first }
        let places = try ranged.map { try bits.places(of: $0, ordinals: rows.compactMap { $0["ordinal"] }) } ?? [:]
        for index in timeline.devices.indices {
            guard let row = found[timeline.devices[index].device] else { continue }
            let place = (row["ordinal"] as Int64?).flatMap { places[$0] }
            let due = try row.timestamp("due") ?? place.flatMap { try chunks.chunk($0.chunk)?.chunk.due }
            tell(local, in: &timeline.devices[index], row.text("time_zone"), due, ranged)
        }
    }

    private func tell(
        _ local: LocalSchedule, in device: inout DeviceTimeline, _ zone: String?, _ due: Timestamp?,
        _ ranged: RangedMessage?
    ) {
        if device.state == .queued, let due, due > now { device.waiting = local.words(for: zone, due: due) }
        guard device.state == .skipped, !device.events.contains(where: { $0.event == .cancelled }),
            let queued = device.events.first, case .skipped(let why) = local.turn(in: zone)
        else { return }
        device.events.append(
            TimelineEvent(
                message: queued.message, device: device.device, event: .cancelled,
                at: ranged?.began ?? queued.at, purpose: .show, revision: queued.revision, detail: why))
    }

    private func timeline(_ head: Head, after mark: TimelineMark, _ limit: Int) throws -> Timeline {
        guard let ranged = try ranges.ranged(head.number), mark.isAmongPlaces else {
            return try page(head, try ranges.ranged(head.number), [], after: mark.device, limit, nil)
        }
        // Devices in chunks come first, in the order of their places, and then those with rows, in the order of their ids.
        let others = try bits.devices(of: ranged, after: mark.place, limit: limit)
        let plain = try others.found.map { try timeline(head, ranged, $0.id, $0.place) }
        let next = others.end.map { TimelineMark($0).text }
        guard others.isLast else { return Timeline(id: head.id, devices: plain, next: next) }
        return try page(head, ranged, plain, after: "", limit, next)
    }

    /// Fills a page that has some devices already with devices whose deliveries are stored in rows.
    ///
    /// - Parameters:
    ///   - head: the message.
    ///   - ranged: the message, if its deliveries are kept as bitmaps.
    ///   - plain: the devices that the page has already.
    ///   - device: the device after which those with rows begin.
    ///   - limit: the greatest number of devices on the page.
    ///   - mark: the mark of the next page if no further device has room on this page.
    /// - Returns: the page.
    /// - Throws: the errors of the database.
    private func page(
        _ head: Head, _ ranged: RangedMessage?, _ plain: [DeviceTimeline], after device: String, _ limit: Int,
        _ mark: String?
    ) throws -> Timeline {
        let rest = limit - plain.count
        let rows = try rowTimelines(head, ranged, after: device, limit: rest + 1)
        let next = rows.count > rest ? rows.prefix(rest).last?.device ?? mark : nil
        return Timeline(id: head.id, devices: plain + rows.prefix(rest), next: next)
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
            events: ExpiryInference.applied(to: events, state: state, end: head.end, now: now))
    }

    private func rowTimelines(
        _ head: Head, _ ranged: RangedMessage?, after device: String, limit: Int
    ) throws -> [DeviceTimeline] {
        try rows(
            """
            SELECT deliveries.device, deliveries.state, \(RemovalStandings.standingColumns) FROM deliveries \(RemovalStandings.standingJoin)
            WHERE deliveries.message = ? AND deliveries.purpose = 'show' AND deliveries.device > ?
            ORDER BY deliveries.device LIMIT ?
            """, [head.number, device, limit]
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
