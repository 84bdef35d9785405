import CarillonCore

/// Reads the flags of devices in an app's newest broadcasts that were sent as ranges of devices (``RangeRules``).
///
/// The flags are bits in chunks (``RangeChunk``), one chunk for each range of devices. One statement reads the chunks of all
/// these broadcasts, because the store needs them for every push.
struct DeviceChunks: SessionPart {
    let session: StoreSession
    private let ranges: RangesTable
    let chunks: ChunksTable

    init(_ session: StoreSession) {
        self.session = session
        ranges = RangesTable(session)
        chunks = ChunksTable(session)
    }

    /// Returns extracts of the chunks that contain given device ordinals, for an app's newest messages that meet a condition.
    ///
    /// A chunk (``RangeChunk``) stores the deliveries of one message to a range of devices.
    ///
    /// - Parameters:
    ///   - ordinals: the ordinals, the devices' running numbers in the app.
    ///   - app: the app's number.
    ///   - condition: an SQL condition on the columns of the tables `ranges` and `messages`.
    ///   - arguments: the values for the condition's question marks.
    /// - Returns: the extracts (``ChunkExtract``) for at most ``StoreLimits/liveBroadcasts`` messages, newer messages first.
    /// - Throws: the errors of the database.
    func extracts(
        over ordinals: ClosedRange<Int64>, of app: Int64, where condition: String, _ arguments: SQLArguments
    ) throws -> [ChunkExtract] {
        let rows = try rows(
            """
            SELECT chunks.number, chunks.message, chunks.first, chunks.marks FROM (
                SELECT ranges.message AS live, ranges.chunk_devices AS size
                FROM ranges JOIN messages ON messages.number = ranges.message
                WHERE ranges.app = ? AND (\(condition)) ORDER BY ranges.message DESC LIMIT ?
            ) AS lately \(dialect.orderedJoin) chunks ON chunks.message = live AND chunks.first > ? - size AND chunks.first <= ?
            """, [app] + arguments + [StoreLimits.liveBroadcasts, ordinals.lowerBound, ordinals.upperBound])
        return try rows.map { row in
            // The table does not contain the changes that this call has made to the chunk.
            let isChanged = try session.cache.changed.contains(row["number"])
            return try ChunkExtract(row, changed: isChanged ? session.cache.chunks[row["number"]]?.chunk : nil)
        }
    }

    // MARK: Positions of devices

    /// Returns the position of the device with an ordinal (running number in the app) in the ``RangeChunk`` that has its
    /// delivery.
    ///
    /// The result is `nil` if the message is not addressed to the device.
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

    /// Returns a device's position in the ``RangeChunk`` that has its delivery of a message, whatever the device's state.
    ///
    /// The result is `nil` if the message is not addressed to the device.
    func place(of message: Int64, on device: String) throws -> ChunkPlace? {
        guard let ranged = try ranges.ranged(message) else { return nil }
        let row = try row(
            "SELECT ordinal FROM devices WHERE id = ? AND app = ?", [device, ranged.app.number.rawValue])
        return try (row?["ordinal"] as Int64?).flatMap { try place(of: ranged, ordinal: $0) }
    }

    /// Returns a device's app and its ordinal (running number in the app).
    ///
    /// The result is `nil` if the device has no ordinal, or if the store has no message sent as ranges of devices
    /// (``RangeRules``).
    func place(of device: String) throws -> (app: Int64, ordinal: Int64)? {
        // If the store has no message sent as ranges of devices, no further look-up is needed.
        guard try ranges.hasRanges(), let row = try row("SELECT app, ordinal FROM devices WHERE id = ?", [device]),
            let ordinal: Int64 = row["ordinal"]
        else { return nil }
        return try (row["app"], ordinal)
    }

    // MARK: Removals

    /// Returns extracts of the chunks (``RangeChunk``) of messages that some of the given devices must remove.
    ///
    /// - Parameters:
    ///   - ordinals: the devices' ordinals (running numbers in the app).
    ///   - app: the app's number.
    /// - Returns: the extracts, the parts of the chunks with the needed flags.
    /// - Throws: the errors of the database.
    func askedExtracts(over ordinals: ClosedRange<Int64>, of app: Int64) throws -> [ChunkExtract] {
        guard try ranges.isAsking(app) else { return [] }
        return try extracts(over: ordinals, of: app, where: RangesTable.asks, ranges.asksSince)
    }

    /// Returns the requests to a device to remove messages that were sent as ranges of devices (``RangeRules``).
    ///
    /// The requests are bits in the chunks (``RangeChunk``) of the app's newest messages.
    func broadcastRemovals(of device: String) throws -> [BroadcastRemoval] {
        guard let (app, ordinal) = try place(of: device) else { return [] }
        return try broadcastRemovals(of: ordinal, in: askedExtracts(over: ordinal...ordinal, of: app))
    }

    /// Returns the requests to a device to remove messages, from chunks (``RangeChunk``) that the caller has already read.
    ///
    /// - Parameters:
    ///   - ordinal: the device's running number in its app.
    ///   - extracts: the result of ``askedExtracts(over:of:)`` for ordinals that include this one.
    /// - Returns: the unconfirmed requests.
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

    /// Returns whether a removal push to the device must still be sent for this request to remove a message.
    func isUntold(_ removal: BroadcastRemoval) throws -> Bool {
        try chunks.chunk(removal.place.chunk)?.chunk.untold.contains(removal.place.place) == true
    }

    /// Returns whether a removal push to a device, sent without a row from the bits of a ``RangeChunk``, waits or is in flight.
    func isToldFromBits(_ device: String) throws -> Bool {
        try broadcastRemovals(of: device).contains(where: isUntold) || isInFlight(to: device)
    }

    /// Returns whether a removal push to a device, sent without a row from the bits of a ``RangeChunk``, is in flight.
    private func isInFlight(to device: String) throws -> Bool {
        guard let (app, ordinal) = try place(of: device) else { return false }
        return try chunks.isRemovalInFlight(to: ordinal, of: app)
    }

    // MARK: Messages

    /// Returns whether a message that was sent as ranges of devices (``RangeRules``) may still wait at APNs for a device.
    func hasUnansweredRange(_ device: String) throws -> Bool {
        guard let (app, ordinal) = try place(of: device) else { return false }
        return Self.isUnanswered(ordinal, in: try unansweredExtracts(over: ordinal...ordinal, of: app))
    }

    /// Returns extracts of the chunks (``RangeChunk``) of recent messages to the given devices that have not expired.
    ///
    /// ``isUnanswered(_:in:)`` finds in these extracts whether a device has left a message unanswered.
    ///
    /// - Parameters:
    ///   - ordinals: the devices' ordinals (running numbers in the app).
    ///   - app: the app's number.
    /// - Returns: the extracts, the parts of the chunks with the needed flags.
    /// - Throws: the errors of the database.
    func unansweredExtracts(over ordinals: ClosedRange<Int64>, of app: Int64) throws -> [ChunkExtract] {
        try extracts(
            over: ordinals, of: app,
            where: "(messages.until IS NULL OR messages.until > ?) AND messages.accepted > ?",
            [now.millisecondsSince1970, (now - DeliveryLimits.deliveryLifetime).millisecondsSince1970])
    }

    /// Returns whether the device with an ordinal (running number in the app) has left a message of these chunks (``RangeChunk``)
    /// unanswered.
    ///
    /// Unanswered means that APNs has accepted the message, but the device has sent no receipt and need not remove the message.
    /// So the message may still wait at APNs.
    static func isUnanswered(_ ordinal: Int64, in extracts: [ChunkExtract]) -> Bool {
        let answered = ReceiptEvent.allCases.map { ChunkMark($0) }
        return extracts.contains { extract in
            extract.isPlain(ordinal) && extract.contains(.accepted, ordinal)
                && !extract.containsAny(of: answered + ChunkExtract.asked, ordinal)
        }
    }
}

/// A request to a device to remove a message that was sent as ranges of devices (``RangeRules``), stored in the bits of a
/// ``RangeChunk``.
struct BroadcastRemoval {
    var message: RangedMessage
    var request: RemovalRequest
    var place: ChunkPlace
}
