import CarillonCore

/// Whom a message that is sent by ranges is for: decided chunk by chunk, when its turn comes, and fixed from then on.
extension StoreTransaction {
    /// Accepts a message for everyone, or for those on whom a condition holds, whoever that will be.
    func planRanges(_ message: NewMessage, _ number: Int64) throws {
        try execute(
            "INSERT INTO ranges (message, app, chunk_devices, condition, counts, due) VALUES (?, ?, ?, ?, ?, ?)",
            [number, message.app.number.rawValue, ranges.chunkDevices] + plan(message))
        try execute("UPDATE messages SET ranged = 1 WHERE number = ?", [number])
    }

    /// The same for a newer revision, in the same chunks.
    func replanRanges(_ message: NewMessage, _ number: Int64) throws {
        try execute(
            """
            UPDATE ranges SET condition = ?, counts = ?, due = ?, last = NULL, began = NULL, planned = 0, open = 1,
                withdrawn = NULL, ended = NULL, problem = NULL, replaced = ? WHERE message = ?
            """, plan(message) + [now.millisecondsSince1970, number])
        forgetRanged(number)
    }

    private func plan(_ message: NewMessage) throws -> SQLArguments {
        let due = max(now, message.sendAt ?? now)
        return [try message.audience.rangeCondition, message.countsAsUnread, due.millisecondsSince1970]
    }

    /// The message whose next chunk is to be planned; `nil` when there is none that may be sent.
    func messageToPlan(_ channels: OpenChannels, _ buckets: [Int64: TokenBucket]) throws -> Int64? {
        try rows(
            """
            SELECT message, app FROM ranges WHERE open = 1 AND (due <= ? OR (due > ? AND due < ? AND \(Self.isUnscheduled)))
                AND \(Self.isPlannable) ORDER BY due, message
            """, [now.millisecondsSince1970, (now + ServiceLimits.longestTurn).millisecondsSince1970, Self.never]
        ).first { row in
            let app: Int64 = row["app"]
            return channels.contain(app: app) && buckets[app]?.available(to: .bulk) != 0
        }?["message"]
    }

    /// A newer revision must not overtake the one before: it waits for what is in flight.
    private static let isPlannable =
        """
        NOT EXISTS (SELECT 1 FROM chunks WHERE chunks.message = ranges.message AND chunks.sender IS NOT NULL
            AND chunks.revision < (SELECT revision FROM messages WHERE number = ranges.message))
        """

    /// What nobody scheduled and is due much later was accepted before the clock was set back.
    private static let isUnscheduled = "(SELECT send_at FROM messages WHERE number = ranges.message) IS NULL"

    /// Decides who of the next devices gets a message.
    ///
    /// When the first chunk is planned, the greatest ordinal is fixed: who comes later does not get it.
    ///
    /// - Parameters:
    ///   - number: the message.
    ///   - room: how many pushes of it are handed over next.
    /// - Returns: how many chunks of usual length it was as much work as.
    /// - Throws: what the engine does.
    mutating func planChunk(of number: Int64, room: Int) throws -> Int {
        guard let message = try begun(number), let last = message.last else { return 1 }
        let audience = try Audience(rangeCondition: message.condition)
        let first = try nextStretch(of: message, audience, upTo: last)
        let end = min(last, first + Int64(message.chunkDevices))
        if message.end(SendingRules(), at: now) == nil, end > first {
            try insertChunks(of: message, audience, within: first + 1...end, room: room)
        }
        try execute(
            "UPDATE ranges SET planned = ?, open = ? WHERE message = ?",
            [end, end < last && message.end(SendingRules(), at: now) == nil, number])
        forgetRanged(number)
        if audience.narrowing != nil { return 1 }
        return max(1, message.chunkDevices / ranges.chunkDevices)
    }

    /// Behind which ordinal the next chunk begins: stretches in which nobody has a tag that it takes are not looked at.
    ///
    /// Those of a newer revision are, because who had the one before may be meant no more.
    private func nextStretch(of message: RangedMessage, _ audience: Audience, upTo last: Int64) throws -> Int64 {
        guard message.revision == 1, let tags = audience.narrowing?.tags else { return message.planned }
        let next = try firstTagged(tags, of: message.app.number, after: message.planned)
        return next.map { min(last, message.place(of: $0).first - 1) } ?? last
    }

    private func begun(_ number: Int64) throws -> RangedMessage? {
        guard let message = try ranged(number), message.last == nil else { return try ranged(number) }
        let last = try lastOrdinal(of: message.app.number)
        // A newer revision has the chunks of the first.
        let size = try message.revision == 1 ? chunkDevices(of: message, upTo: last) : message.chunkDevices
        try execute(
            "UPDATE ranges SET began = ?, last = ?, chunk_devices = ? WHERE message = ?",
            [now.millisecondsSince1970, last, size, number])
        forgetRanged(number)
        return try ranged(number)
    }

    /// How many ordinals a chunk has: what a chunk costs is to be shared by many devices, also where a message is for few.
    private func chunkDevices(of message: RangedMessage, upTo last: Int64) throws -> Int {
        let (audience, sampled) = (try Audience(rangeCondition: message.condition), Int64(ranges.sampledDevices))
        guard case .matching = audience, last >= sampled * 2 else { return ranges.chunkDevices }
        let stretches = min(sampled, Int64(ServiceLimits.sampledStretches))
        var meant = 0
        for stretch in 0..<stretches {
            let first = last / stretches * stretch + 1
            let condition = try condition(
                audience, of: message.app.number, at: now, within: first...first + sampled / stretches - 1)
            meant += try integer("SELECT count(*) FROM devices WHERE \(condition.sql)", condition.arguments)
        }
        guard audience.narrowing != nil else {
            return ranges.chunkDevices(meant: meant, atMost: ServiceLimits.widestAskedChunk)
        }
        // They lie far apart: a chunk that is planned is best handed over at once.
        return ranges.chunkDevices(
            meant: meant, atMost: ServiceLimits.widestTaggedChunk, expecting: ServiceLimits.pushesTogether)
    }

    /// One chunk for each environment in which somebody is meant.
    private mutating func insertChunks(
        of message: RangedMessage, _ audience: Audience, within stretch: ClosedRange<Int64>, room: Int
    ) throws {
        // An age counts from the moment at which sending began.
        let condition = try condition(audience, of: message.app.number, at: message.began ?? now, within: stretch)
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
            let stored = try insert(
                chunk, message: message.number, first: first, channel: message.isPaused ? -1 - channel : channel)
            if let stored, !devices.isEmpty { cache.planned[stored.number] = devices }
        }
    }

    /// Who is named has rows from the beginning: they say for which user a push is, and that user's values are in it.
    private mutating func giveRowsToAll(
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
            try insertRows(&stored)
            let note = DeliveryNote(.queued, at: now, purpose: .show, revision: message.revision)
            try record(TimelineEvent(note, message: message.id, device: stored.device), about: message.number)
            chunk[.row].insert(place)
        }
    }

    private typealias Reached = (places: DeviceSet, devices: [RangedDevice])

    /// Those whom a message reaches, by their channels, and all for whom it is.
    ///
    /// - Parameters:
    ///   - condition: for whom it is, and where they are.
    ///   - first: the ordinal of the chunk's first place.
    ///   - room: how many of those whom it reaches are read with all that their pushes ask.
    /// - Returns: both, as places; of the first, so many devices.
    /// - Throws: what the engine does.
    private func planned(
        _ condition: Condition, first: Int64, room: Int
    ) throws -> (reached: [Int64: Reached], meant: DeviceSet) {
        var (places, devices, meant): ([Int64: [Int]], [Int64: [RangedDevice]], [Int]) = ([:], [:], [])
        try forEachDevice(condition, first: first, room: room) { place, channel, isReachable, device in
            meant.append(place)
            if isReachable { places[channel, default: []].append(place) }
            if let device { devices[channel, default: []].append(device) }
        }
        let reached = places.map { ($0, (DeviceSet($1), devices[$0] ?? [])) }
        return (Dictionary(uniqueKeysWithValues: reached), DeviceSet(meant))
    }

    /// What is kept of earlier revisions: who gets this one leaves those, and the others are to remove them.
    ///
    /// - Returns: marks of those who get it.
    private mutating func replaceChunks(
        of message: RangedMessage, first: Int64, meant: DeviceSet, _ sets: [Int64: DeviceSet]
    ) throws -> RangeChunk {
        let taken = sets.values.reduce(DeviceSet()) { $0.union($1) }
        var former = RangeChunk(addressed: DeviceSet())
        for stored in try chunks(of: message.number, at: first) where stored.chunk.revision < message.revision {
            let withRows = stored.chunk[.addressed].intersection(stored.chunk[.row])
            try replaceRows(of: message, withRows, in: stored, meant: meant, taken: taken)
            former[.row] = former[.row].union(withRows.intersection(taken))
            let left = try change(stored.number) { $0.replace(meant: meant, taken: taken, at: now) }
            for mark in [ChunkMark.formerlyHanded, .formerlyAccepted] {
                former[mark] = former[mark].union(left?[mark] ?? DeviceSet())
            }
        }
        try keepChunks()
        return former
    }

    private mutating func replaceRows(
        of message: RangedMessage, _ places: DeviceSet, in chunk: StoredChunk, meant: DeviceSet, taken: DeviceSet
    ) throws {
        let devices = try devices(at: places.places(), of: chunk, message.app)
        for place in places.places() {
            guard let device = devices[place], var stored = try delivery(of: message.number, on: device["id"]) else {
                continue
            }
            if taken.contains(place) {
                try setOwner(device.text("user"), of: &stored)
                try receive(.accepted(revision: message.revision, user: nil), for: &stored)
                try execute(
                    "UPDATE deliveries SET channel = -1 - channel WHERE message = ? AND device = ? AND channel < 0",
                    [message.number, stored.device])
            } else if !meant.contains(place) {
                try receive(.withdrawn(.replaced), for: &stored)
            }
        }
    }

    /// When something is to be planned or handed over; `nil` when nothing is that this sender could take.
    func nextRangeDue(
        _ channels: OpenChannels, _ buckets: [Int64: TokenBucket], for sender: SenderNumber?
    ) throws -> Timestamp? {
        var moments: [Timestamp] = []
        for row in try rows(
            "SELECT app, due FROM ranges WHERE open = 1 AND due < ? AND \(Self.isPlannable) ORDER BY due", [Self.never])
        {
            let app: Int64 = row["app"]
            guard channels.contain(app: app) else { continue }
            moments.append(max(try row.requiredTimestamp("due"), turn(of: app, buckets)))
        }
        for row in try claimableChunks(for: sender) where channels.contains(row["channel"]) {
            moments.append(turn(of: Self.app(ofChannel: row["channel"]), buckets))
        }
        for row in try rows("SELECT channel FROM chunks WHERE removing = 1") {
            let channel: Int64 = row["channel"]
            guard channels.contains(max(channel, -1 - channel)) else { continue }
            moments.append(turn(of: Self.app(ofChannel: max(channel, -1 - channel)), buckets))
        }
        for (channel, due) in try followUpsDue() where channels.contains(channel) {
            moments.append(max(due, turn(of: Self.app(ofChannel: channel), buckets)))
        }
        return moments.min()
    }

    private func turn(of app: Int64, _ buckets: [Int64: TokenBucket]) -> Timestamp {
        buckets[app].map { $0.available(to: .bulk) == 0 ? max(now, $0.next(for: .bulk)) : now } ?? now
    }

    /// Chunks of which something is to be handed over and that nobody else hands over: `number`, `channel`.
    func claimableChunks(for sender: SenderNumber?) throws -> [SQLRow] {
        try rows(
            """
            SELECT number, channel FROM chunks
            WHERE open = 1 AND channel >= 0 AND (sender IS NULL OR sender IS NOT DISTINCT FROM ?) ORDER BY number
            """, [sender?.rawValue])
    }
}
