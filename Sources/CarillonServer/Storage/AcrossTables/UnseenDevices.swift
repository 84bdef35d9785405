import CarillonCore

/// Finds the devices to which APNs has taken a message and that have sent no sign that the person could see it.
struct UnseenDevices: SessionPart {
    let session: StoreSession
    private let ranges: RangesTable
    private let chunks: ChunksTable

    init(_ session: StoreSession) {
        self.session = session
        ranges = RangesTable(session)
        chunks = ChunksTable(session)
    }

    /// Returns the ordinals (running numbers in the app) of these devices of a broadcast in a stretch of ordinals.
    ///
    /// The cost depends on the stretch, not on the number of the message's devices.
    ///
    /// - Parameters:
    ///   - number: the number of a message whose deliveries are kept as bitmaps (``RangeRules``).
    ///   - stretch: the ordinals.
    /// - Returns: the ordinals of devices that did not see the message's newest revision; none if there is no such message.
    /// - Throws: the errors of the database.
    func ordinals(of number: Int64, within stretch: ClosedRange<Int64>) throws -> [Int64] {
        guard let message = try ranges.ranged(number), let last = message.last, stretch.lowerBound <= last else {
            return []
        }
        let end = min(stretch.upperBound, last)
        let firsts = stride(
            from: message.place(of: stretch.lowerBound).first, through: end, by: message.chunkDevices)
        var (found, inRows): ([Int64], [Int64]) = ([], [])
        for stored in try chunks.chunks(of: number, at: Array(firsts))
        where stored.chunk.revision == message.revision {
            let withRows = stored.chunk[.addressed].intersection(stored.chunk[.row])
            let seen = stored.chunk.reported(RangeChunk.seen)
            found += stored.chunk.devices(in: .notShown).places().map { stored.first + Int64($0) }
            inRows += withRows.subtracting(seen).places().map { stored.first + Int64($0) }
        }
        found += try accepted(inRows, of: message)
        return found.filter { stretch.contains($0) }
    }

    /// Returns those of the ordinals whose devices have a row for the message, and to which APNs has taken it.
    private func accepted(_ ordinals: [Int64], of message: RangedMessage) throws -> [Int64] {
        guard !ordinals.isEmpty else { return [] }
        return try rows(
            """
            SELECT devices.ordinal FROM devices \(dialect.orderedJoin) deliveries
                ON deliveries.device = devices.id AND deliveries.message = ? AND deliveries.purpose = 'show'
            WHERE deliveries.state = 'accepted' AND devices.app = ? AND \(dialect.isAmongIntegers("devices.ordinal"))
            """, [message.number, message.app.number.rawValue, Self.integers(ordinals)]
        ).map { try $0["ordinal"] }
    }

    /// Returns the ids of these devices of a message whose deliveries have rows, in the order of their ids.
    ///
    /// A device is left out if another user is signed in there than when the message came, unless the message was a broadcast.
    func ids(of number: Int64, limit: Int) throws -> [String] {
        try rows(
            """
            SELECT deliveries.device FROM deliveries JOIN messages ON messages.number = deliveries.message
                JOIN devices ON devices.id = deliveries.device
            WHERE deliveries.message = ? AND deliveries.purpose = 'show' AND deliveries.state = 'accepted'
                AND deliveries.revision = messages.revision AND deliveries.answers & ? = 0
                AND (messages.everyone = 1 OR coalesce(deliveries.user, '') = coalesce(devices.user, ''))
            ORDER BY deliveries.device LIMIT ?
            """, [number, ReceiptSet(RangeChunk.seen).rawValue, limit]
        ).map { try $0["device"] }
    }
}
