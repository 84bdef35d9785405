import CarillonCore

/// Reads the timelines of deliveries that are stored in the bits of chunks (``RangeChunk``), not in rows.
extension DeviceChunks {
    /// A page of the devices whose deliveries of a message are stored in chunks (``RangeChunk``).
    struct Page {
        var found: [(id: String, place: ChunkPlace)] = []
        /// The position up to which the page has examined all deliveries; `nil` if there is no delivery.
        var end: ChunkPlace?
        /// Whether no delivery comes after ``end``.
        var isLast = false
    }

    /// Returns the next devices whose deliveries of a message are stored in a ``RangeChunk``, in the order of their positions.
    ///
    /// The number of statements depends on the message's chunks that the page needs, not on the app's devices.
    ///
    /// - Parameters:
    ///   - message: the message.
    ///   - place: the position after which the page begins; `nil` for the first page.
    ///   - limit: the greatest number of devices.
    ///   - group: returns the devices of a chunk that the page may have. The default is all whose deliveries its bits store.
    /// - Returns: the page.
    /// - Throws: the errors of the database.
    func devices(
        of message: RangedMessage, after place: ChunkPlace?, limit: Int,
        in group: (RangeChunk) -> DeviceSet = { $0.plain }
    ) throws -> Page {
        var page = Page(end: place)
        for _ in 0..<StoreLimits.timelineLooks {
            let rest = limit - page.found.count
            let (places, isLast) = try nextPlaces(of: message, after: page.end, limit: rest, in: group)
            page.found += try ids(of: places, of: message)
            page.end = places.last?.place ?? page.end
            page.isLast = isLast
            if isLast || page.found.count == limit { break }
        }
        return page
    }

    private typealias Placed = (ordinal: Int64, place: ChunkPlace)

    /// Returns the positions of at most `limit` deliveries that chunks store, and whether there are no more.
    private func nextPlaces(
        of message: RangedMessage, after place: ChunkPlace?, limit: Int, in group: (RangeChunk) -> DeviceSet
    ) throws -> (places: [Placed], isLast: Bool) {
        var (places, position): ([Placed], ChunkPlace?) = ([], place)
        while true {
            let stored = try chunks.chunks(
                of: message.number, after: (position?.chunk ?? 1) - 1, limit: StoreLimits.timelineChunks)
            for chunk in stored {
                let first = chunk.number == position?.chunk ? (position?.place ?? -1) + 1 : 0
                // Looks for one more, to find out whether the page is the last.
                for place in group(chunk.chunk).places(from: first, limit: limit + 1 - places.count) {
                    if places.count == limit { return (places, false) }
                    places.append((chunk.first + Int64(place), ChunkPlace(chunk: chunk.number, place: place)))
                }
            }
            guard let last = stored.last, stored.count == StoreLimits.timelineChunks else { return (places, true) }
            position = ChunkPlace(chunk: last.number, place: message.chunkDevices)
        }
    }

    /// Returns the ids of the devices at these positions, without deleted devices.
    private func ids(of places: [Placed], of message: RangedMessage) throws -> [(id: String, place: ChunkPlace)] {
        guard !places.isEmpty else { return [] }
        let rows = try rows(
            """
            SELECT devices.id, devices.ordinal FROM \(dialect.integersOfJSON) AS wanted \(dialect.orderedJoin) devices
                ON devices.app = ? AND devices.ordinal = wanted.value
            """, [Self.integers(places.map(\.ordinal)), message.app.number.rawValue])
        let ids = try Dictionary(rows.map { try ($0["ordinal"] as Int64, $0["id"] as String) }) { first, _ in first }
        return places.compactMap { placed in ids[placed.ordinal].map { ($0, placed.place) } }
    }

    /// Returns the timeline events of one device, as the device's flags in a ``RangeChunk`` express them.
    ///
    /// A chunk stores one time for each kind of event, so all devices of the chunk share this time.
    func events(at place: ChunkPlace, of message: RangedMessage, on device: String) throws -> [TimelineEvent] {
        guard let chunk = try chunks.chunk(place.chunk)?.chunk else { return [] }
        func event(_ kind: TimelineEventKind, _ at: Timestamp?, attempt: Int? = nil) -> TimelineEvent {
            let id = PushIdentifier.uuid(
                message: message.id.rawValue, device: device, purpose: .show, revision: chunk.revision)
            return TimelineEvent(
                message: message.id, device: device, event: kind, at: at ?? message.accepted,
                purpose: kind.isReceipt ? nil : .show, revision: chunk.revision, attempt: attempt,
                apnsID: attempt == nil ? nil : id.lowercased,
                detail: at == nil ? nil : Self.chunkMoment)
        }
        var events = [event(.queued, nil)]
        let isHanded = chunk[.handed].contains(place.place)
        if isHanded { events.append(event(.sent, chunk.handedAt, attempt: 1)) }
        if chunk[.accepted].contains(place.place) {
            events.append(event(.accepted, chunk.acceptedAt, attempt: 1))
        }
        for kind in ReceiptEvent.allCases where chunk[ChunkMark(kind)].contains(place.place) {
            events.append(event(TimelineEventKind(kind), chunk.reportedAt))
        }
        return events
    }

    private static let chunkMoment = "at the latest: of a broadcast, the moment is kept for many devices together"
}
