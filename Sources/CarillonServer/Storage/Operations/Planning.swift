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
        let isEnded = message.end(SendingRules(), due: message.local?.latest, at: now) != nil
        if !isEnded, end > first {
            guard let condition = try condition(of: message, audience, within: first + 1...end) else {
                return StoreLimits.chunksPlannedPerClaim
            }
            try insertChunks(of: message, audience, condition, from: first + 1, room: room)
        }
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
        let size = try sampledChunkDevices(of: message, upTo: last)
        guard message.local != nil else { return size }
        // The devices of a range share its chunks with those of their moment alone, so a range has more of them.
        return max(size, session.rules.chunkDevices * StoreLimits.widestAskedChunk)
    }

    private func sampledChunkDevices(of message: RangedMessage, upTo last: Int64) throws -> Int {
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
    /// In local time, there is one for each environment and moment. A group without recipients gets no chunk.
    private func insertChunks(
        of message: RangedMessage, _ audience: Audience, _ condition: SQLCondition, from first: Int64, room: Int
    ) throws {
        // Without a tag, the devices lie close together and are cheap to read again.
        let room = message.revision == 1 && audience.narrowing != nil && message.local == nil ? room : 0
        let (groups, meant) = try planned(condition, message.local, first: first, room: room)
        let former =
            try message.revision > 1
            ? replaceChunks(of: message, first: first, meant: meant, taken: groups.map(\.places)) : nil
        for group in groups {
            let channel = group.key.channel
            var chunk = group.key.isSkipped ? RangeChunk(skipped: group.places) : RangeChunk(addressed: group.places)
            chunk.revision = message.revision
            chunk.due = group.key.due
            for mark in [ChunkMark.formerlyHanded, .formerlyAccepted, .row] {
                chunk[mark] = former?[mark].intersection(group.places) ?? DeviceSet()
            }
            if !audience.isBroadcast { try giveRowsToAll(of: &chunk, message, first: first, channel) }
            let stored = try chunks.insert(
                chunk, message: message.number, first: first, channel: message.isPaused ? -1 - channel : channel)
            if let stored, !group.devices.isEmpty { session.cache.planned[stored.number] = group.devices }
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
            SELECT id, user, time_zone, ordinal FROM devices
            WHERE app = ? AND ordinal IN (SELECT value FROM \(dialect.integersOfJSON) AS named)
            """, [message.app.number.rawValue, ordinals])
        for device in devices {
            let place = try Int(device["ordinal"] as Int64 - first)
            guard var delivery = chunk.delivery(at: place, of: message) else { continue }
            (delivery.user, delivery.show.due) = (device.text("user"), max(now, delivery.show.due))
            var stored = StoredDelivery(
                message, on: try device["id"], owner: device.text("user"), channel: channel, place: nil, delivery)
            try kept.insertRows(&stored)
            let note = DeliveryNote(.queued, at: now, purpose: .show, revision: message.revision)
            try events.record(note, about: message.number, message.id, on: stored.device)
            if delivery.show.state == .skipped { try noteSkipped(stored, message, zone: device.text("time_zone")) }
            chunk[.row].insert(place)
        }
    }

    private func noteSkipped(_ stored: StoredDelivery, _ message: RangedMessage, zone: String?) throws {
        guard case .skipped(let why) = message.local?.turn(in: zone) else { return }
        let note = DeliveryNote(
            .cancelled, at: now, purpose: .show, revision: message.revision, detail: why)
        try events.record(note, about: message.number, message.id, on: stored.device)
    }

    /// The common properties of the devices of one ``RangeChunk``.
    private struct GroupKey: Hashable {
        var channel: Int64
        /// The moment of the devices in a message in local time; `nil` if the chunk is due at once.
        var due: Timestamp?
        /// Whether the devices do not get the message.
        var isSkipped = false

        static func < (left: Self, right: Self) -> Bool {
            func order(_ key: Self) -> (Int64, Int64, Int64) {
                (key.channel, key.due?.millisecondsSince1970 ?? 0, key.isSkipped ? 1 : 0)
            }
            return order(left) < order(right)
        }
    }

    /// The reachable devices of one ``RangeChunk`` that is to be inserted.
    private struct Group {
        let key: GroupKey
        var places: DeviceSet
        var devices: [RangedDevice]
    }

    /// Finds the devices that meet a condition, and the reachable ones among them in groups.
    ///
    /// There is a group for each ``SendingChannel``; in a message in local time, one for each channel and moment.
    ///
    /// - Parameters:
    ///   - condition: the SQL condition that selects devices by the audience and by their ordinals (running numbers in the app).
    ///   - local: the rules of a message in local time; `nil` for any other message.
    ///   - first: the first ordinal of the ``RangeChunk``; a device's position in the chunk is its ordinal minus this one.
    ///   - room: the greatest number of reachable devices that the function returns complete, with all columns that their
    ///     pushes need.
    /// - Returns: `groups` has the reachable devices: `places` has the positions of all of them, and `devices` the complete
    ///   ones. `meant` has the positions of all devices that meet the condition, reachable or not.
    /// - Throws: the errors of the database.
    private func planned(
        _ condition: SQLCondition, _ local: LocalSchedule?, first: Int64, room: Int
    ) throws -> (groups: [Group], meant: DeviceSet) {
        var (places, devices, meant): ([GroupKey: [Int]], [GroupKey: [RangedDevice]], [Int]) = ([:], [:], [])
        var turns = local.map(LocalMoments.init)
        try self.devices.forEachDevice(condition, first: first, room: room, withZones: local != nil) {
            place, channel, isReachable, zone, device in
            meant.append(place)
            guard isReachable else { return }
            let key = key(channel, turns?.turn(in: zone))
            places[key, default: []].append(place)
            if let device { devices[key, default: []].append(device) }
        }
        let groups = places.sorted { $0.key < $1.key }.flatMap { key, places in
            // A range of a message in local time is wide, and all its devices may have one moment.
            let size = local == nil ? places.count : session.rules.chunkDevices
            return stride(from: 0, to: places.count, by: size).map { start in
                let part = places[start..<min(start + size, places.count)]
                return Group(key: key, places: DeviceSet(part), devices: devices[key] ?? [])
            }
        }
        return (groups, DeviceSet(meant))
    }

    private func key(_ channel: Int64, _ turn: LocalTurn?) -> GroupKey {
        switch turn {
        case .due(let moment) where moment > now: GroupKey(channel: channel, due: moment)
        case .skipped: GroupKey(channel: channel, isSkipped: true)
        case .due, nil: GroupKey(channel: channel)
        }
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
    ///   - sets: the reachable devices among `meant`, in any number of sets.
    /// - Returns: a chunk with the earlier revisions' flags (``ChunkMark``) of the devices that get the new revision.
    /// - Throws: the errors of the database.
    private func replaceChunks(
        of message: RangedMessage, first: Int64, meant: DeviceSet, taken sets: [DeviceSet]
    ) throws -> RangeChunk {
        let taken = sets.reduce(DeviceSet()) { $0.union($1) }
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

    /// Makes a push with a row wait for its device's moment, if the message is in local time, or releases it.
    private func wait(_ stored: StoredDelivery, _ message: RangedMessage, zone: String?) throws {
        var stored = stored
        if let local = message.local { try kept.receive(.turn(local.turn(in: zone)), for: &stored) }
        try deliveries.letGo(message.number, on: stored.device)
        guard stored.delivery.show.waitsForMoment(at: now) else { return }
        try deliveries.hold(stored.show)
        try WorkTable(session).wake(message.number, at: stored.delivery.show.due)
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
                try wait(stored, message, zone: device.text("time_zone"))
            } else if !meant.contains(place) {
                try kept.receive(.withdrawn(.replaced), for: &stored)
            }
        }
    }
}
