import CarillonCore

/// What messages that are sent by ranges have to do with one device: found with one statement, however many messages there
/// are, since every push asks.
extension StoreTransaction {
    /// What the newest messages of an app that fulfil a condition keep of a stretch of ordinals.
    ///
    /// - Parameters:
    ///   - ordinals: the stretch.
    ///   - app: the app's number.
    ///   - condition: on `ranges` and `messages`.
    ///   - arguments: its values.
    /// - Returns: the chunks, those of newer messages first, of ``ServiceLimits/liveBroadcasts`` messages at most.
    /// - Throws: what the database says.
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
            """, [app] + arguments + [ServiceLimits.liveBroadcasts, ordinals.lowerBound, ordinals.upperBound])
        return rows.map { row in
            // What this transaction has changed is not in the table yet.
            let isChanged = cache.changed.contains(row["number"])
            return ChunkExtract(row, changed: isChanged ? cache.chunks[row["number"]]?.chunk : nil)
        }
    }

    // MARK: Removals

    /// The same of those of which something is to be removed.
    func askedExtracts(over ordinals: ClosedRange<Int64>, of app: Int64) throws -> [ChunkExtract] {
        guard try isAsking(app) else { return [] }
        return try extracts(over: ordinals, of: app, where: Self.asks, asksSince)
    }

    /// Whether any message of an app that is sent by ranges is to be removed from anywhere.
    private func isAsking(_ app: Int64) throws -> Bool {
        guard try hasRanges() else { return false }
        if let known = cache.asking[app] { return known }
        let sql = "SELECT EXISTS (SELECT 1 FROM ranges WHERE app = ? AND (\(Self.asks)))"
        let found = try integer(sql, [app] + asksSince) > 0
        cache.asking[app] = found
        return found
    }

    private static let asks = "ranges.withdrawn > ? OR ranges.ended > ? OR ranges.replaced > ?"

    /// For as long as APNs keeps anything.
    private var asksSince: SQLArguments {
        let oldest = (now - ServiceLimits.deliveryLifetime).millisecondsSince1970
        return [oldest, oldest, oldest]
    }

    /// What a device is to remove of messages that are sent by ranges, over the newest of them.
    func rangedRemovals(of device: String) throws -> [RangedRemoval] {
        guard let (app, ordinal) = try place(of: device) else { return [] }
        return try rangedRemovals(of: ordinal, in: askedExtracts(over: ordinal...ordinal, of: app))
    }

    /// The same where it is known what is kept of it.
    func rangedRemovals(of ordinal: Int64, in extracts: [ChunkExtract]) throws -> [RangedRemoval] {
        try extracts.compactMap { extract in
            guard extract.isPlain(ordinal), extract.containsAny(of: ChunkExtract.asked, ordinal),
                !extract.contains(.confirmed, ordinal),
                let message = try ranged(extract.message), let chunk = try chunk(extract.number)?.chunk
            else { return nil }
            let place = Int(ordinal - extract.first)
            return chunk.removal(at: place, of: message).map {
                RangedRemoval(
                    message: message, request: $0, place: ChunkPlace(chunk: extract.number, place: place))
            }
        }
    }

    /// Whether a push with a removal is still to be handed over.
    func isUntold(_ removal: RangedRemoval) throws -> Bool {
        try chunk(removal.place.chunk)?.chunk.untold.contains(removal.place.place) == true
    }

    /// Whether a push that carries what a device is to remove waits in bits, or is on its way from there.
    func isToldFromBits(_ device: String) throws -> Bool {
        try rangedRemovals(of: device).contains(where: isUntold) || isRemovalInFlight(to: device)
    }

    // MARK: Messages

    /// Whether a message that was sent by ranges may be waiting at APNs for a device.
    func hasUnansweredRange(_ device: String) throws -> Bool {
        guard let (app, ordinal) = try place(of: device) else { return false }
        return Self.isUnanswered(ordinal, in: try unansweredExtracts(over: ordinal...ordinal, of: app))
    }

    /// The chunks in which that is to be seen.
    func unansweredExtracts(over ordinals: ClosedRange<Int64>, of app: Int64) throws -> [ChunkExtract] {
        try extracts(
            over: ordinals, of: app,
            where: "(messages.until IS NULL OR messages.until > ?) AND messages.accepted > ?",
            [now.millisecondsSince1970, (now - ServiceLimits.deliveryLifetime).millisecondsSince1970])
    }

    /// The same of one device where they are known.
    static func isUnanswered(_ ordinal: Int64, in extracts: [ChunkExtract]) -> Bool {
        let answered = ReceiptEvent.allCases.map { ChunkMark($0) }
        return extracts.contains { extract in
            extract.isPlain(ordinal) && extract.contains(.accepted, ordinal)
                && !extract.containsAny(of: answered + ChunkExtract.asked, ordinal)
        }
    }

    /// Messages of which a second push is still to go to a device.
    func followed(on device: String) throws -> [StoredDelivery] {
        guard let (app, ordinal) = try place(of: device) else { return [] }
        return try extracts(
            over: ordinal...ordinal, of: app, where: "messages.mode = 'assured' OR messages.recalled IS NOT NULL", []
        )
        .filter { $0.isPlain(ordinal) }
        .compactMap { try rangedDelivery(of: $0.message, on: device) }
        .filter { $0.delivery.fallback != nil || $0.delivery.notice != nil }
    }

    /// A device's ordinal, where that can matter.
    func place(of device: String) throws -> (app: Int64, ordinal: Int64)? {
        // Where nothing is sent by ranges, nothing more is looked up.
        guard try hasRanges(), let row = try row("SELECT app, ordinal FROM devices WHERE id = ?", [device]),
            let ordinal: Int64 = row["ordinal"]
        else { return nil }
        return (row["app"], ordinal)
    }

    /// Whether any message is sent by ranges.
    private func hasRanges() throws -> Bool {
        if let known = cache.hasRanges { return known }
        let found = try integer("SELECT EXISTS (SELECT 1 FROM ranges)") > 0
        cache.hasRanges = found
        return found
    }
}
