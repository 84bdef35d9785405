import CarillonCore

/// Reads the bits of one device in the chunks of the newest broadcasts.
///
/// One statement reads them for all broadcasts, since every push needs them.
struct DeviceChunks: SessionPart {
    let session: StoreSession
    private let ranges: RangesTable
    let chunks: ChunksTable

    init(_ session: StoreSession) {
        self.session = session
        ranges = RangesTable(session)
        chunks = ChunksTable(session)
    }

    /// Returns the marks over a range of ordinals, for an app's newest messages that meet a condition.
    ///
    /// - Parameters:
    ///   - ordinals: the range of ordinals.
    ///   - app: the app's number.
    ///   - condition: the condition, on `ranges` and `messages`.
    ///   - arguments: the condition's values.
    /// - Returns: the chunks of at most ``StoreLimits/liveBroadcasts`` messages, newer messages first.
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
            // Changes made by this call are not in the table yet.
            let isChanged = try session.cache.changed.contains(row["number"])
            return try ChunkExtract(row, changed: isChanged ? session.cache.chunks[row["number"]]?.chunk : nil)
        }
    }

    // MARK: Places

    /// Returns a device's place in a message's chunks; `nil` if the message is not addressed to the device.
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

    /// Returns a device's place in a message's chunks, in any state; `nil` if it has none.
    func place(of message: Int64, on device: String) throws -> ChunkPlace? {
        guard let ranged = try ranges.ranged(message) else { return nil }
        let row = try row(
            "SELECT ordinal FROM devices WHERE id = ? AND app = ?", [device, ranged.app.number.rawValue])
        return try (row?["ordinal"] as Int64?).flatMap { try place(of: ranged, ordinal: $0) }
    }

    /// Returns a device's app and ordinal; `nil` if no message is sent by ranges.
    func place(of device: String) throws -> (app: Int64, ordinal: Int64)? {
        // Without range-sent messages, no further look-up is needed.
        guard try ranges.hasRanges(), let row = try row("SELECT app, ordinal FROM devices WHERE id = ?", [device]),
            let ordinal: Int64 = row["ordinal"]
        else { return nil }
        return try (row["app"], ordinal)
    }

    // MARK: Removals

    /// Returns the marks over a range of ordinals, for messages that some devices must remove.
    func askedExtracts(over ordinals: ClosedRange<Int64>, of app: Int64) throws -> [ChunkExtract] {
        guard try ranges.isAsking(app) else { return [] }
        return try extracts(over: ordinals, of: app, where: RangesTable.asks, ranges.asksSince)
    }

    /// Returns a device's removals in bits, for the newest messages.
    func broadcastRemovals(of device: String) throws -> [BroadcastRemoval] {
        guard let (app, ordinal) = try place(of: device) else { return [] }
        return try broadcastRemovals(of: ordinal, in: askedExtracts(over: ordinal...ordinal, of: app))
    }

    /// Returns the removals at an ordinal, from marks that have been read already.
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

    /// Returns whether a removal still waits for a push that carries it.
    func isUntold(_ removal: BroadcastRemoval) throws -> Bool {
        try chunks.chunk(removal.place.chunk)?.chunk.untold.contains(removal.place.place) == true
    }

    /// Returns whether a removal push to a device waits in bits, or is in flight from a chunk.
    func isToldFromBits(_ device: String) throws -> Bool {
        try broadcastRemovals(of: device).contains(where: isUntold) || isInFlight(to: device)
    }

    /// Returns whether a removal push to a device is in flight from a chunk.
    private func isInFlight(to device: String) throws -> Bool {
        guard let (app, ordinal) = try place(of: device) else { return false }
        return try chunks.isRemovalInFlight(to: ordinal, of: app)
    }

    // MARK: Messages

    /// Returns whether a range-sent message may be waiting at APNs for a device.
    func hasUnansweredRange(_ device: String) throws -> Bool {
        guard let (app, ordinal) = try place(of: device) else { return false }
        return Self.isUnanswered(ordinal, in: try unansweredExtracts(over: ordinal...ordinal, of: app))
    }

    /// Returns the marks that show whether range-sent messages may be waiting at APNs.
    func unansweredExtracts(over ordinals: ClosedRange<Int64>, of app: Int64) throws -> [ChunkExtract] {
        try extracts(
            over: ordinals, of: app,
            where: "(messages.until IS NULL OR messages.until > ?) AND messages.accepted > ?",
            [now.millisecondsSince1970, (now - DeliveryLimits.deliveryLifetime).millisecondsSince1970])
    }

    /// Returns whether one of the chunks shows that a message may be waiting at APNs for a device.
    static func isUnanswered(_ ordinal: Int64, in extracts: [ChunkExtract]) -> Bool {
        let answered = ReceiptEvent.allCases.map { ChunkMark($0) }
        return extracts.contains { extract in
            extract.isPlain(ordinal) && extract.contains(.accepted, ordinal)
                && !extract.containsAny(of: answered + ChunkExtract.asked, ordinal)
        }
    }
}

/// A device's request, in bits, to remove a message.
struct BroadcastRemoval {
    var message: RangedMessage
    var request: RemovalRequest
    var place: ChunkPlace
}
