import CarillonCore

/// Determines for each device the outcome of a message's recall or expiry, and counts the devices with each outcome.
struct RemovalStandings: SessionPart {
    let session: StoreSession
    private let ranges: RangesTable
    private let chunks: ChunksTable
    private let bits: DeviceChunks

    init(_ session: StoreSession) {
        self.session = session
        ranges = RangesTable(session)
        chunks = ChunksTable(session)
        bits = DeviceChunks(session)
    }

    /// Returns the number of devices with each recall outcome (``RecallOutcome``), for a message that was recalled or has
    /// expired.
    func recallCounts(_ message: Int64, hasExpired: Bool) throws -> [String: Int] {
        var counts: [String: Int] = [:]
        let rows = try rows(
            """
            SELECT \(Self.standingColumns), count(*) AS count FROM deliveries \(Self.standingJoin)
            WHERE deliveries.message = ? AND deliveries.purpose = 'show' GROUP BY 1, 2, 3, 4, 5
            """, [message])
        for row in rows {
            guard let outcome = try Self.standing(row, isWithdrawn: true, hasExpired: hasExpired).outcome else {
                continue
            }
            counts[outcome.rawValue, default: 0] += try row["count"]
        }
        if try ranges.ranged(message) != nil {
            add(try chunks.chunks(of: message), to: &counts, hasExpired: hasExpired)
        }
        return counts
    }

    func recallOutcomes(_ message: Int64, limit: Int) throws -> [RecallAnswer.DeviceRecall] {
        let rows = try recallOutcomesOfRows(message, limit: limit)
        guard let ranged = try ranges.ranged(message) else { return rows }
        let others = try bits.devices(of: ranged, after: nil, limit: limit).found.compactMap { device in
            try outcome(at: device.place, of: ranged, isWithdrawn: true, hasExpired: false).map {
                RecallAnswer.DeviceRecall(device: device.id, recall: $0)
            }
        }
        return Array((rows + others).sorted { $0.device < $1.device }.prefix(limit))
    }

    /// Returns a device's recall outcome from the bits of a ``RangeChunk``, for a delivery that is not stored in rows.
    ///
    /// - Parameters:
    ///   - place: the chunk, and the device's position in it.
    ///   - message: the chunk's message.
    ///   - isWithdrawn: whether the message was recalled.
    ///   - hasExpired: whether the message has expired.
    /// - Returns: the outcome; `nil` if the chunk's bits do not store the delivery.
    /// - Throws: the errors of the database.
    func outcome(
        at place: ChunkPlace, of message: RangedMessage, isWithdrawn: Bool, hasExpired: Bool
    ) throws -> RecallOutcome? {
        guard let delivery = try chunks.chunk(place.chunk)?.chunk.delivery(at: place.place, of: message) else {
            return nil
        }
        return RemovalStanding(
            isWithdrawn: isWithdrawn, hasExpired: hasExpired, isRequested: delivery.removal != nil,
            isConfirmed: delivery.removal?.confirmed != nil, hasNotice: false,
            mayHaveArrived: delivery.mayHaveArrived, isSettled: delivery.answers.isSettled
        ).outcome
    }

    private func recallOutcomesOfRows(_ message: Int64, limit: Int) throws -> [RecallAnswer.DeviceRecall] {
        try rows(
            """
            SELECT \(Self.standingColumns), deliveries.device FROM deliveries \(Self.standingJoin)
            WHERE deliveries.message = ? AND deliveries.purpose = 'show' ORDER BY deliveries.device LIMIT ?
            """, [message, limit]
        ).compactMap { row in
            try Self.standing(row, isWithdrawn: true, hasExpired: false).outcome.map {
                try RecallAnswer.DeviceRecall(device: row["device"], recall: $0)
            }
        }
    }

    /// The SQL of the columns that ``standing(_:isWithdrawn:hasExpired:)`` reads.
    ///
    /// The columns belong to the row of `deliveries` whose `purpose` is `show`, and to the tables of ``standingJoin``.
    static let standingColumns =
        """
        removals.message IS NOT NULL AS is_requested, removals.confirmed IS NOT NULL AS is_confirmed,
        CASE WHEN notice.state = 'accepted' AND notice.revision >= removals.revision THEN 1 ELSE 0 END
            AS has_accepted_notice,
        deliveries.reach > 0 OR coalesce(fallback.reach, 0) > 0 AS may_have_arrived,
        deliveries.answers & \(ReceiptSet.settled.rawValue) <> 0 AS is_settled
        """

    static let standingJoin =
        """
        LEFT JOIN removals ON removals.device = deliveries.device AND removals.message = deliveries.message
        LEFT JOIN deliveries AS notice ON notice.message = deliveries.message AND notice.device = deliveries.device
            AND notice.purpose = 'notice'
        LEFT JOIN deliveries AS fallback ON fallback.message = deliveries.message
            AND fallback.device = deliveries.device AND fallback.purpose = 'fallback'
        """

    static func standing(_ row: SQLRow, isWithdrawn: Bool, hasExpired: Bool) throws -> RemovalStanding {
        RemovalStanding(
            isWithdrawn: isWithdrawn, hasExpired: hasExpired, isRequested: try row["is_requested"],
            isConfirmed: try row["is_confirmed"], hasNotice: try row["has_accepted_notice"],
            mayHaveArrived: try row["may_have_arrived"], isSettled: try row["is_settled"])
    }

    /// Adds the recall outcomes of devices in chunks (``RangeChunk``) to `outcomes`, the numbers of devices by outcome.
    ///
    /// Devices whose deliveries are stored in rows, not in the chunks' bits, are left out.
    func add(_ chunks: [StoredChunk], to outcomes: inout [String: Int], hasExpired: Bool) {
        func add(_ outcome: RecallOutcome, _ devices: DeviceSet) {
            if !devices.isEmpty { outcomes[outcome.rawValue, default: 0] += devices.count }
        }
        for chunk in chunks.map(\.chunk) {
            let requested = chunk.plain.intersection(chunk.asked)
            let reached = chunk.reached.subtracting(requested)
            let done = requested.intersection(chunk[.confirmed])
            let settled = hasExpired ? reached.intersection(chunk.settled) : DeviceSet()
            add(.confirmed, done.union(settled))
            add(.pending, requested.subtracting(done).union(reached.subtracting(settled)))
            add(.neverSent, chunk.plain.subtracting(chunk.reached))
        }
    }
}
