import CarillonCore

/// Reads the state of devices' deliveries in an app's newest broadcasts, such as whether a device must remove a message.
///
/// Here, a broadcast is a message whose deliveries are kept as bitmaps (``RangeRules``). In a bitmap of a ``RangeChunk``, each
/// bit is a flag (``ChunkMark``) of one device. The store needs these flags for every push, so one statement reads the chunks of
/// all broadcasts.
struct DeviceChunks: SessionPart {
    let session: StoreSession
    private let ranges: RangesTable
    let chunks: ChunksTable

    init(_ session: StoreSession) {
        self.session = session
        ranges = RangesTable(session)
        chunks = ChunksTable(session)
    }

    /// Returns a ``ChunkExtract`` of each ``RangeChunk`` that covers at least one of the given devices.
    ///
    /// A chunk keeps the deliveries of one message to a range of devices as bitmaps, with a bit for each device. An extract has
    /// only the chunk's keys and these bitmaps. The function considers only the app's newest messages that meet `condition`.
    ///
    /// - Parameters:
    ///   - ordinals: the ordinals, the devices' running numbers in the app.
    ///   - app: the app's number.
    ///   - condition: an SQL condition on the columns of the tables `ranges` and `messages`.
    ///   - arguments: the values for the condition's question marks.
    /// - Returns: the extracts for at most ``StoreLimits/liveBroadcasts`` messages, those of newer messages first.
    /// - Throws: the errors of the database.
    func extracts(
        over ordinals: ClosedRange<Int64>, of app: Int64, where condition: String, _ arguments: SQLArguments
    ) throws -> [ChunkExtract] {
        try extractRows(over: ordinals, of: app, where: condition, arguments).map(extract)
    }

    /// Returns the rows from which ``extract(_:)`` makes the result of ``extracts(over:of:where:_:)``.
    ///
    /// A row also has the message's `mode`, the time `queued` at which the message was queued, and the time `accepted_at` at which
    /// APNs last accepted a push of the chunk. The column `revision` is the chunk's, and `current` the message's.
    func extractRows(
        over ordinals: ClosedRange<Int64>, of app: Int64, where condition: String, _ arguments: SQLArguments
    ) throws -> [SQLRow] {
        try rows(
            """
            SELECT chunks.number, chunks.message, chunks.first, chunks.marks, chunks.accepted_at, chunks.revision, mode, queued,
                current
            FROM (
                SELECT ranges.message AS live, ranges.chunk_devices AS size, messages.mode, messages.revision AS current,
                    CASE WHEN messages.send_at > messages.accepted THEN messages.send_at ELSE messages.accepted END AS queued
                FROM ranges JOIN messages ON messages.number = ranges.message
                WHERE ranges.app = ? AND (\(condition)) ORDER BY ranges.message DESC LIMIT ?
            ) AS lately \(dialect.orderedJoin) chunks ON chunks.message = live AND chunks.first > ? - size AND chunks.first <= ?
            """, [app] + arguments + [StoreLimits.liveBroadcasts, ordinals.lowerBound, ordinals.upperBound])
    }

    func extract(_ row: SQLRow) throws -> ChunkExtract { try ChunkExtract(row, changed: changed(row)) }

    /// Returns the chunk of a row with the changes that this call has made to it, and that the table does not contain; `nil` if
    /// there are none.
    func changed(_ row: SQLRow) throws -> RangeChunk? {
        let isChanged = try session.cache.changed.contains(row["number"])
        return isChanged ? try session.cache.chunks[row["number"]]?.chunk : nil
    }

    // MARK: Positions of devices

    /// Returns the position of a message's recipient: the ``RangeChunk`` that covers the device, and the device's index in it.
    ///
    /// The parameter `ordinal` is the device's running number in the app. The result is `nil` if the message is not addressed to
    /// the device.
    func place(of message: RangedMessage, ordinal: Int64) throws -> ChunkPlace? {
        let (first, place) = message.place(of: ordinal)
        let numbers = try rows("SELECT number FROM chunks WHERE message = ? AND first = ?", [message.number, first])
        for row in numbers {
            guard let stored = try chunks.chunk(row["number"]), stored.chunk[.addressed].contains(place) else {
                continue
            }
            return ChunkPlace(chunk: stored.number, place: place)
        }
        return nil
    }

    /// Returns the positions of several devices among a message's recipients, by ordinal (running number in the app).
    ///
    /// One statement reads the chunks of all devices. Devices to which the message is not addressed are left out.
    func places(of message: RangedMessage, ordinals: [Int64]) throws -> [Int64: ChunkPlace] {
        let firsts = Set(ordinals.map { message.place(of: $0).first })
        guard !firsts.isEmpty else { return [:] }
        let stored = Dictionary(grouping: try chunks.chunks(of: message.number, at: firsts.sorted()), by: \.first)
        var places: [Int64: ChunkPlace] = [:]
        for ordinal in ordinals {
            let (first, place) = message.place(of: ordinal)
            let chunk = stored[first]?.first { $0.chunk[.addressed].contains(place) }
            places[ordinal] = chunk.map { ChunkPlace(chunk: $0.number, place: place) }
        }
        return places
    }

    /// Returns the position of a message's recipient: the ``RangeChunk`` that covers the device, and the device's index in it.
    ///
    /// An inactive device has a position too. The result is `nil` if the device does not exist or is not among the recipients. It
    /// is also `nil` if the message's deliveries are not kept as bitmaps, a bit for each device (``RangeRules``).
    func place(of message: Int64, on device: String) throws -> ChunkPlace? {
        guard let ranged = try ranges.ranged(message) else { return nil }
        let row = try row(
            "SELECT ordinal FROM devices WHERE id = ? AND app = ?", [device, ranged.app.number.rawValue])
        return try (row?["ordinal"] as Int64?).flatMap { try place(of: ranged, ordinal: $0) }
    }

    /// Returns the number of a device's app, and the device's ordinal: its running number in the app.
    ///
    /// The result is `nil` if the device has no ordinal, or if the store has no message whose deliveries are kept as bitmaps, a
    /// bit for each device (``RangeRules``).
    func place(of device: String) throws -> (app: Int64, ordinal: Int64)? {
        // If the store has no message whose deliveries are kept as bitmaps, no further look-up is needed.
        guard try ranges.hasRanges(), let row = try row("SELECT app, ordinal FROM devices WHERE id = ?", [device]),
            let ordinal: Int64 = row["ordinal"]
        else { return nil }
        return try (row["app"], ordinal)
    }

    // MARK: Removals

    /// Returns extracts (``ChunkExtract``) that show which messages the given devices must remove.
    ///
    /// Each extract comes from a ``RangeChunk`` of a message that was lately recalled or replaced, or has lately expired.
    ///
    /// - Parameters:
    ///   - ordinals: the devices' ordinals (running numbers in the app).
    ///   - app: the app's number.
    /// - Returns: the extracts (``ChunkExtract``), each with the flags of its chunk's devices.
    /// - Throws: the errors of the database.
    func askedExtracts(over ordinals: ClosedRange<Int64>, of app: Int64) throws -> [ChunkExtract] {
        guard try ranges.isAsking(app) else { return [] }
        return try extracts(over: ordinals, of: app, where: RangesTable.asks, ranges.asksSince)
    }

    /// Returns a device's unconfirmed removals (requests to remove a message) that are stored in chunks (``RangeChunk``), not in
    /// rows.
    ///
    /// Each removal is a bit of the device in a chunk of the message.
    func broadcastRemovals(of device: String) throws -> [BroadcastRemoval] {
        guard let (app, ordinal) = try place(of: device) else { return [] }
        return try broadcastRemovals(of: ordinal, in: askedExtracts(over: ordinal...ordinal, of: app))
    }

    /// Returns a device's unconfirmed removals (requests to remove a message), from extracts that the caller has already read.
    ///
    /// An extract (``ChunkExtract``) is a part of a ``RangeChunk``, which stores the deliveries of one message to a range of
    /// devices.
    ///
    /// - Parameters:
    ///   - ordinal: the device's running number in its app.
    ///   - extracts: the result of ``askedExtracts(over:of:)`` for ordinals that include this one.
    /// - Returns: the requests that the device has not confirmed.
    /// - Throws: the errors of the database.
    func broadcastRemovals(of ordinal: Int64, in extracts: [ChunkExtract]) throws -> [BroadcastRemoval] {
        try extracts.compactMap { extract in
            guard extract.isPlain(ordinal), extract.containsAny(of: ChunkExtract.asked, ordinal),
                !extract.contains(.confirmed, ordinal),
                let message = try ranges.ranged(extract.message), let chunk = try chunks.chunk(extract.number)?.chunk
            else { return nil }
            let place = Int(ordinal - extract.first)
            return chunk.removal(at: place, of: message).map {
                BroadcastRemoval(
                    message: message, request: $0, place: ChunkPlace(chunk: extract.number, place: place))
            }
        }
    }

    /// Returns whether the device must still get a push for this request to remove a message, because no push has carried the
    /// request yet.
    func isUntold(_ removal: BroadcastRemoval) throws -> Bool {
        try chunks.chunk(removal.place.chunk)?.chunk.untold.contains(removal.place.place) == true
    }

    /// Returns whether a removal push without a row of its own in `deliveries` is queued for a device or in flight to it.
    ///
    /// Only the bits of a ``RangeChunk`` and of its leases (``RemovalLease``) store such a push.
    func isToldFromBits(_ device: String) throws -> Bool {
        try broadcastRemovals(of: device).contains(where: isUntold) || isInFlight(to: device)
    }

    /// Returns whether a removal push without a row of its own in `deliveries` is in flight to a device.
    ///
    /// Only the bits of a ``RemovalLease`` store such a push.
    private func isInFlight(to device: String) throws -> Bool {
        guard let (app, ordinal) = try place(of: device) else { return false }
        return try chunks.isRemovalInFlight(to: ordinal, of: app)
    }
}

/// A request to a device to remove a message; both the delivery and the request are kept in the bitmaps of a ``RangeChunk``.
struct BroadcastRemoval {
    var message: RangedMessage
    var request: RemovalRequest
    var place: ChunkPlace
}
