import CarillonCore

/// Determines, for one range of devices at a time, the recipients of messages whose deliveries are kept as bitmaps with a bit
/// for each device (``RangeRules``).
///
/// The deliveries to one range are created as a ``RangeChunk``, shortly before their pushes are sent. Devices that join the
/// audience later are not added to the chunk.
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

    /// Creates the next ``RangeChunk`` of a message: determines which devices of the next range get the message.
    ///
    /// The range consists of consecutive ordinals, the devices' running numbers in the app. The message's greatest ordinal is
    /// determined with its first chunk, so devices that come later do not get the message.
    ///
    /// - Parameters:
    ///   - number: the message's number.
    ///   - room: the number of pushes that the sender can claim next. For this many devices, the function also reads the columns
    ///     that their pushes need.
    /// - Returns: the cost of creating the chunk. A chunk of the default size (``RangeRules/chunkDevices``) costs 1. A larger
    ///   chunk costs more if each of its devices must be compared with the audience; otherwise it costs 1 too. A chunk whose
    ///   condition is costly and not decided yet (``AudienceDecisions``) is not created, and costs as much as a call may plan.
    /// - Throws: the errors of the database, and an error if the message cannot be decoded.
    func planChunk(of number: Int64, room: Int) throws -> Int {
        guard let message = try begun(number), let last = message.last else { return 1 }
        let audience = try Audience(rangeCondition: message.condition)
        let first = try nextStretch(of: message, audience, upTo: last)
        let end = min(last, first + Int64(message.chunkDevices))
        if message.end(SendingRules(), at: now) == nil, end > first {
            guard let condition = try condition(of: message, audience, within: first + 1...end) else {
                return StoreLimits.chunksPlannedPerClaim
            }
            try insertChunks(of: message, audience, condition, from: first + 1, room: room)
        }
        let isEnded = message.end(SendingRules(), at: now) != nil
        let isOpen = end < last && !isEnded
        try ranges.keep(planned: end, isOpen: isOpen, of: number)
        if !isOpen, !isEnded, audience.isBroadcast, try !chunks.hasAny(of: number, revision: message.revision) {
            try MessagesTable(session).note(.nobodyMatches, of: number)
        }
        if audience.narrowing != nil { return 1 }
        return max(1, message.chunkDevices / session.rules.chunkDevices)
    }

    /// Returns the SQL condition that selects a message's recipients in a stretch of ordinals (running numbers of devices).
    ///
    /// The result is `nil` if the condition is costly and not decided yet. Ages in the condition count from the time at which
    /// sending began.
    private func condition(
        of message: RangedMessage, _ audience: Audience, within stretch: ClosedRange<Int64>
    ) throws -> SQLCondition? {
        let (app, moment) = (message.app.number, message.began ?? now)
        guard let expression = try audiences.costly(audience, of: app) else {
            return try audiences.condition(audience, of: app, at: moment, within: stretch)
        }
        let question = AudienceQuestion(
            message: message.number, revision: message.revision, app: app, expression: expression, stretch: stretch,
            moment: moment)
        return session.decisions.ordinals(question).map { audiences.condition($0, of: app) }
    }

    /// Returns the ordinal (running number of a device) after which the message's next ``RangeChunk`` begins.
    ///
    /// If the audience requires one of several tags, the function skips the ordinals before the next device with such a tag. For
    /// a newer revision it skips no ordinal, because devices that got the previous revision may have left the audience.
    private func nextStretch(of message: RangedMessage, _ audience: Audience, upTo last: Int64) throws -> Int64 {
        guard message.revision == 1, let tags = audience.narrowing?.tags else { return message.planned }
        let next = try devices.firstTagged(tags, of: message.app.number, after: message.planned)
        return next.map { min(last, message.place(of: $0).first - 1) } ?? last
    }

    private func begun(_ number: Int64) throws -> RangedMessage? {
        guard let message = try ranges.ranged(number), message.last == nil else { return try ranges.ranged(number) }
        let last = try apps.lastOrdinal(of: message.app.number)
        // Each chunk of a newer revision covers as many ordinals as a chunk of the first revision.
        let size = try message.revision == 1 ? chunkDevices(of: message, upTo: last) : message.chunkDevices
        try ranges.begin(number, last: last, chunkDevices: size)
        return try ranges.ranged(number)
    }

    /// Returns the width of the message's chunks (``RangeChunk``), as a number of consecutive device ordinals (running numbers in
    /// the app).
    ///
    /// Chunks are wider if the message is for few of the app's devices, so that enough recipients share the cost of a chunk.
    private func chunkDevices(of message: RangedMessage, upTo last: Int64) throws -> Int {
        let (audience, sampled) = (try Audience(rangeCondition: message.condition), Int64(session.rules.sampledDevices))
        guard case .matching = audience, last >= sampled * 2,
            try audiences.costly(audience, of: message.app.number) == nil
        else { return session.rules.chunkDevices }
        let stretches = min(sampled, Int64(DeliveryLimits.sampledStretches))
        var meant = 0
        for stretch in 0..<stretches {
            let first = last / stretches * stretch + 1
            let condition = try audiences.condition(
                audience, of: message.app.number, at: now, within: first...first + sampled / stretches - 1)
            meant += try integer("SELECT count(*) FROM devices WHERE \(condition.sql)", condition.arguments)
        }
        guard audience.narrowing != nil else {
            return session.rules.chunkDevices(meant: meant, atMost: StoreLimits.widestAskedChunk)
        }
        // The devices lie far apart, so a chunk is limited to the pushes that a sender can claim at once.
        return session.rules.chunkDevices(
            meant: meant, atMost: StoreLimits.widestTaggedChunk, expecting: DeliveryLimits.pushesTogether)
    }

    /// Inserts a message's deliveries to a range of ordinals (devices' running numbers in the app), as one ``RangeChunk`` for
    /// each APNs environment.
    ///
    /// An environment without recipients gets no chunk.
    private func insertChunks(
        of message: RangedMessage, _ audience: Audience, _ condition: SQLCondition, from first: Int64, room: Int
    ) throws {
        // Without a tag, the devices lie close together and are cheap to read again.
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

    /// Stores a row in `deliveries` for each recipient of a ``RangeChunk``, because the message has named recipients.
    ///
    /// To fill in a user's variables, the service needs the user of each push. A chunk does not store users.
    ///
    /// - Parameters:
    ///   - chunk: the chunk.
    ///   - message: the chunk's message.
    ///   - first: the first device ordinal (running number in the app) that the chunk covers.
    ///   - channel: the number of the chunk's ``SendingChannel``.
    /// - Throws: the errors of the database.
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
            let place = try Int(device["ordinal"] as Int64 - first)
            guard var delivery = chunk.delivery(at: place, of: message) else { continue }
            (delivery.user, delivery.show.due) = (device.text("user"), now)
            var stored = StoredDelivery(
                message, on: try device["id"], owner: device.text("user"), channel: channel, place: nil, delivery)
            try kept.insertRows(&stored)
            let note = DeliveryNote(.queued, at: now, purpose: .show, revision: message.revision)
            try events.record(note, about: message.number, message.id, on: stored.device)
            chunk[.row].insert(place)
        }
    }

    private typealias Reached = (places: DeviceSet, devices: [RangedDevice])

    /// Finds the devices that meet a condition, and among them the reachable devices of each ``SendingChannel``.
    ///
    /// - Parameters:
    ///   - condition: the SQL condition that selects devices by the audience and by their ordinals (running numbers in the app).
    ///   - first: the first ordinal of the ``RangeChunk``; a device's position in the chunk is its ordinal minus this one.
    ///   - room: the greatest number of reachable devices that the function returns complete, with all columns that their
    ///     pushes need.
    /// - Returns: `reached` describes the reachable devices, by channel number: `places` has the positions of all of them, and
    ///   `devices` has the complete ones. `meant` has the positions of all devices that meet the condition, reachable or not.
    /// - Throws: the errors of the database.
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

    /// Takes devices out of the chunks (``RangeChunk``) of a message's earlier revisions, because these devices get the new
    /// revision.
    ///
    /// Devices that stay in those chunks must remove the message, unless they are in `meant`.
    ///
    /// - Parameters:
    ///   - message: the message with its new revision.
    ///   - first: the first device ordinal (running number in the app) of the chunks.
    ///   - meant: the devices to which the new revision is addressed, by position.
    ///   - sets: the reachable devices among `meant`, by the number of their ``SendingChannel``.
    /// - Returns: a chunk with the earlier revisions' flags (``ChunkMark``) of the devices that get the new revision.
    /// - Throws: the errors of the database.
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
