import CarillonCore

/// Decides for whom a message sent by ranges is: chunk by chunk, when its turn comes, and fixed from then on.
struct Planning: SessionPart {
    let session: StoreSession
    private let apps: AppsTable
    private let devices: DevicesTable
    private let ranges: RangesTable
    private let chunks: ChunksTable
    private let deliveries: DeliveriesTable
    private let events: EventsTable
    private let kept: KeptDeliveries
    private let audiences: AudienceQuery

    init(_ session: StoreSession) {
        self.session = session
        apps = AppsTable(session)
        devices = DevicesTable(session)
        ranges = RangesTable(session)
        chunks = ChunksTable(session)
        deliveries = DeliveriesTable(session)
        events = EventsTable(session)
        kept = KeptDeliveries(session)
        audiences = AudienceQuery(session)
    }

    /// Decides who of the next devices gets a message.
    ///
    /// When the first chunk is planned, the greatest ordinal is fixed: who comes later does not get it.
    ///
    /// - Parameters:
    ///   - number: the message.
    ///   - room: how many pushes of it are handed over next.
    /// - Returns: how many chunks of usual length it was as much work as.
    /// - Throws: what the engine does.
    func planChunk(of number: Int64, room: Int) throws -> Int {
        guard let message = try begun(number), let last = message.last else { return 1 }
        let audience = try Audience(rangeCondition: message.condition)
        let first = try nextStretch(of: message, audience, upTo: last)
        let end = min(last, first + Int64(message.chunkDevices))
        if message.end(SendingRules(), at: now) == nil, end > first {
            try insertChunks(of: message, audience, within: first + 1...end, room: room)
        }
        let isOpen = end < last && message.end(SendingRules(), at: now) == nil
        try ranges.keep(planned: end, isOpen: isOpen, of: number)
        if audience.narrowing != nil { return 1 }
        return max(1, message.chunkDevices / session.rules.chunkDevices)
    }

    /// Behind which ordinal the next chunk begins: stretches in which nobody has a tag that it takes are not looked at.
    ///
    /// Those of a newer revision are, because who had the one before may be meant no more.
    private func nextStretch(of message: RangedMessage, _ audience: Audience, upTo last: Int64) throws -> Int64 {
        guard message.revision == 1, let tags = audience.narrowing?.tags else { return message.planned }
        let next = try devices.firstTagged(tags, of: message.app.number, after: message.planned)
        return next.map { min(last, message.place(of: $0).first - 1) } ?? last
    }

    private func begun(_ number: Int64) throws -> RangedMessage? {
        guard let message = try ranges.ranged(number), message.last == nil else { return try ranges.ranged(number) }
        let last = try apps.lastOrdinal(of: message.app.number)
        // A newer revision has the chunks of the first.
        let size = try message.revision == 1 ? chunkDevices(of: message, upTo: last) : message.chunkDevices
        try ranges.begin(number, last: last, chunkDevices: size)
        return try ranges.ranged(number)
    }

    /// How many ordinals a chunk has: what a chunk costs is to be shared by many devices, also where a message is for few.
    private func chunkDevices(of message: RangedMessage, upTo last: Int64) throws -> Int {
        let (audience, sampled) = (try Audience(rangeCondition: message.condition), Int64(session.rules.sampledDevices))
        guard case .matching = audience, last >= sampled * 2 else { return session.rules.chunkDevices }
        let stretches = min(sampled, Int64(ServiceLimits.sampledStretches))
        var meant = 0
        for stretch in 0..<stretches {
            let first = last / stretches * stretch + 1
            let condition = try audiences.condition(
                audience, of: message.app.number, at: now, within: first...first + sampled / stretches - 1)
            meant += try integer("SELECT count(*) FROM devices WHERE \(condition.sql)", condition.arguments)
        }
        guard audience.narrowing != nil else {
            return session.rules.chunkDevices(meant: meant, atMost: ServiceLimits.widestAskedChunk)
        }
        // They lie far apart: a chunk that is planned is best handed over at once.
        return session.rules.chunkDevices(
            meant: meant, atMost: ServiceLimits.widestTaggedChunk, expecting: ServiceLimits.pushesTogether)
    }

    /// One chunk for each environment in which somebody is meant.
    private func insertChunks(
        of message: RangedMessage, _ audience: Audience, within stretch: ClosedRange<Int64>, room: Int
    ) throws {
        // An age counts from the moment at which sending began.
        let condition = try audiences.condition(
            audience, of: message.app.number, at: message.began ?? now, within: stretch)
        let first = stretch.lowerBound
        // Neighbours cost little to read again.
        let room = message.revision == 1 && audience.narrowing != nil ? room : 0
        let (reached, meant) = try planned(condition, first: first, room: room)
        let former =
            try message.revision > 1
            ? replaceChunks(of: message, first: first, meant: meant, reached.mapValues(\.places)) : nil
        for (channel, (set, devices)) in reached.sorted(by: { $0.key < $1.key }) {
            var chunk = RangeChunk(addressed: set)
            chunk.revision = message.revision
            for mark in [ChunkMark.formerlyHanded, .formerlyAccepted, .row] {
                chunk[mark] = former?[mark].intersection(set) ?? DeviceSet()
            }
            if !audience.isBroadcast { try giveRowsToAll(of: &chunk, message, first: first, channel) }
            let stored = try chunks.insert(
                chunk, message: message.number, first: first, channel: message.isPaused ? -1 - channel : channel)
            if let stored, !devices.isEmpty { session.cache.planned[stored.number] = devices }
        }
    }

    /// Who is named has rows from the beginning: they say for which user a push is, and that user's values are in it.
    private func giveRowsToAll(
        of chunk: inout RangeChunk, _ message: RangedMessage, first: Int64, _ channel: Int64
    ) throws {
        let places = chunk.plain.places()
        let ordinals = Self.integers(places.map { first + Int64($0) })
        let devices = try rows(
            """
            SELECT id, user, ordinal FROM devices
            WHERE app = ? AND ordinal IN (SELECT value FROM \(dialect.integersOfJSON) AS named)
            """, [message.app.number.rawValue, ordinals])
        for device in devices {
            let place = Int(device["ordinal"] as Int64 - first)
            guard var delivery = chunk.delivery(at: place, of: message) else { continue }
            (delivery.user, delivery.show.due) = (device.text("user"), now)
            var stored = StoredDelivery(
                message, on: device["id"], owner: device.text("user"), channel: channel, place: nil, delivery)
            try kept.insertRows(&stored)
            let note = DeliveryNote(.queued, at: now, purpose: .show, revision: message.revision)
            try events.record(TimelineEvent(note, message: message.id, device: stored.device), about: message.number)
            chunk[.row].insert(place)
        }
    }

    private typealias Reached = (places: DeviceSet, devices: [RangedDevice])

    /// Finds the devices that a message reaches, by their channels, and all devices for which it is.
    ///
    /// - Parameters:
    ///   - condition: for whom it is, and where they are.
    ///   - first: the ordinal of the chunk's first place.
    ///   - room: how many of those whom it reaches are read with all that their pushes ask.
    /// - Returns: both, as places; of the first, so many devices.
    /// - Throws: what the engine does.
    private func planned(
        _ condition: SQLCondition, first: Int64, room: Int
    ) throws -> (reached: [Int64: Reached], meant: DeviceSet) {
        var (places, devices, meant): ([Int64: [Int]], [Int64: [RangedDevice]], [Int]) = ([:], [:], [])
        try self.devices.forEachDevice(condition, first: first, room: room) { place, channel, isReachable, device in
            meant.append(place)
            if isReachable { places[channel, default: []].append(place) }
            if let device { devices[channel, default: []].append(device) }
        }
        let reached = places.map { ($0, (DeviceSet($1), devices[$0] ?? [])) }
        return (Dictionary(uniqueKeysWithValues: reached), DeviceSet(meant))
    }

    // MARK: Earlier revisions

    /// What is kept of earlier revisions: who gets this one leaves those, and the others are to remove them.
    ///
    /// - Returns: marks of those who get it.
    private func replaceChunks(
        of message: RangedMessage, first: Int64, meant: DeviceSet, _ sets: [Int64: DeviceSet]
    ) throws -> RangeChunk {
        let taken = sets.values.reduce(DeviceSet()) { $0.union($1) }
        var former = RangeChunk(addressed: DeviceSet())
        for stored in try chunks.chunks(of: message.number, at: first) where stored.chunk.revision < message.revision {
            let withRows = stored.chunk[.addressed].intersection(stored.chunk[.row])
            try replaceRows(of: message, withRows, in: stored, meant: meant, taken: taken)
            former[.row] = former[.row].union(withRows.intersection(taken))
            let left = try chunks.change(stored.number) { $0.replace(meant: meant, taken: taken, at: now) }
            for mark in [ChunkMark.formerlyHanded, .formerlyAccepted] {
                former[mark] = former[mark].union(left?[mark] ?? DeviceSet())
            }
        }
        try chunks.keep()
        return former
    }

    private func replaceRows(
        of message: RangedMessage, _ places: DeviceSet, in chunk: StoredChunk, meant: DeviceSet, taken: DeviceSet
    ) throws {
        let devices = try self.devices.devices(at: places.places(), of: chunk, message.app)
        for place in places.places() {
            guard let device = devices[place], var stored = try kept.delivery(of: message.number, on: device["id"])
            else {
                continue
            }
            if taken.contains(place) {
                try kept.setOwner(device.text("user"), of: &stored)
                try kept.receive(.accepted(revision: message.revision, user: nil), for: &stored)
                try deliveries.letGo(message.number, on: stored.device)
            } else if !meant.contains(place) {
                try kept.receive(.withdrawn(.replaced), for: &stored)
            }
        }
    }
}
