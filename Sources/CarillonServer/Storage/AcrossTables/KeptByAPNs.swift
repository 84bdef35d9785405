import CarillonCore

/// Finds the devices for which APNs may still be keeping a push with a message (``PushesAtAPNs``).
///
/// A push that APNs keeps for an offline phone takes the place of an older one. So the pushes of the service's own, such as
/// removals, are sent to these devices in a way that APNs does not keep them.
struct KeptByAPNs: SessionPart {
    let session: StoreSession
    private let ranges: RangesTable
    private let bits: DeviceChunks

    init(_ session: StoreSession) {
        self.session = session
        ranges = RangesTable(session)
        bits = DeviceChunks(session)
    }

    /// A device, with its ordinal: its running number in the app.
    typealias Device = (id: String, ordinal: Int64?)

    /// Returns the ids of those of an app's devices for which a message may still wait at APNs.
    ///
    /// A message may wait there if APNs has accepted it and was to keep it, it has not expired, the device has sent no receipt
    /// for it, and the device need not remove it. It no longer waits after a report on a later message (``PushesAtAPNs``).
    func devices(among devices: [Device], of app: Int64) throws -> Set<String> {
        var waiting: [String: PushesAtAPNs] = [:]
        try addUnreported(of: devices, app, to: &waiting)
        guard !waiting.isEmpty else { return [] }
        try addReported(of: devices.filter { waiting[$0.id] != nil }, app, to: &waiting)
        return Set(waiting.filter(\.value.isAnyWaiting).keys)
    }

    private var oldest: Int64 { (now - DeliveryLimits.deliveryLifetime).millisecondsSince1970 }

    // MARK: Messages without a receipt

    private func addUnreported(
        of devices: [Device], _ app: Int64, to waiting: inout [String: PushesAtAPNs]
    ) throws {
        let moment = now.millisecondsSince1970
        let rows = try rows(
            """
            SELECT deliveries.device, messages.mode,
                (SELECT max(events.at) FROM events WHERE events.message = deliveries.message
                    AND events.device = deliveries.device AND events.revision = deliveries.revision
                    AND events.event = 'accepted' AND events.purpose IN ('show', 'fallback')) AS accepted
            FROM deliveries JOIN messages ON messages.number = deliveries.message
            WHERE \(dialect.isAmongTexts("deliveries.device")) AND deliveries.purpose = 'show'
                AND deliveries.state = 'accepted' AND deliveries.answers = 0 AND deliveries.queued > ?
                AND (messages.until IS NULL OR messages.until > ?) AND messages.now_or_never = 0
                AND NOT EXISTS (SELECT 1 FROM removals
                    WHERE removals.device = deliveries.device AND removals.message = deliveries.message)
            """, [try Self.json(devices.map(\.id)), oldest, moment])
        for row in rows {
            waiting[try row["device"], default: PushesAtAPNs()].add(
                unreported: try row.choice("mode"), accepted: row.timestamp("accepted"))
        }
        let condition =
            "(messages.until IS NULL OR messages.until > ?) AND messages.now_or_never = 0 AND messages.accepted > ?"
        let marks = ReceiptEvent.allCases.map { ChunkMark($0) } + ChunkExtract.asked
        try forEachBit(of: devices, app, where: condition, [moment, oldest]) { device, ordinal, chunk in
            guard chunk.extract.contains(.accepted, ordinal), !chunk.extract.containsAny(of: marks, ordinal) else {
                return
            }
            waiting[device, default: PushesAtAPNs()].add(unreported: chunk.mode, accepted: chunk.accepted)
        }
    }

    // MARK: Reported messages

    private func addReported(
        of devices: [Device], _ app: Int64, to waiting: inout [String: PushesAtAPNs]
    ) throws {
        let rows = try rows(
            """
            SELECT deliveries.device, messages.mode, max(deliveries.queued) AS queued
            FROM deliveries JOIN messages ON messages.number = deliveries.message
            WHERE \(dialect.isAmongTexts("deliveries.device")) AND deliveries.purpose = 'show'
                AND (deliveries.answers & ?) <> 0 AND deliveries.queued > ?
            GROUP BY deliveries.device, messages.mode
            """, [try Self.json(devices.map(\.id)), ReceiptSet.arrival.rawValue, oldest])
        for row in rows {
            waiting[try row["device"]]?.add(
                reported: try row.choice("mode"), queued: try row.requiredTimestamp("queued"))
        }
        let marks = ReceiptEvent.allCases.filter { ReceiptSet($0).provesArrival }.map { ChunkMark($0) }
        // The time at which an earlier revision was queued is not known.
        try forEachBit(of: devices, app, where: "messages.accepted > ?", [oldest]) { device, ordinal, chunk in
            guard chunk.isCurrent, chunk.extract.containsAny(of: marks, ordinal) else { return }
            waiting[device]?.add(reported: chunk.mode, queued: chunk.queued)
        }
    }

    // MARK: Bits

    /// A ``RangeChunk``'s bits, with its message's mode, and with the times between which APNs has accepted the chunk's pushes.
    private struct DatedExtract {
        let extract: ChunkExtract
        let mode: DeliveryMode
        let queued: Timestamp
        let accepted: Timestamp?
        /// Whether the chunk sends the message's newest revision.
        let isCurrent: Bool
    }

    /// Calls `body` with each device and each ``RangeChunk`` whose bits store a delivery to the device.
    ///
    /// The function considers only the app's newest messages, at most ``StoreLimits/liveBroadcasts``, that meet `condition`.
    private func forEachBit(
        of devices: [Device], _ app: Int64, where condition: String, _ arguments: SQLArguments,
        _ body: (String, Int64, DatedExtract) throws -> Void
    ) throws {
        let placed = devices.compactMap { device in device.ordinal.map { (device.id, $0) } }
        guard try ranges.hasRanges(), let first = placed.map(\.1).min(), let last = placed.map(\.1).max() else {
            return
        }
        for row in try bits.extractRows(over: first...last, of: app, where: condition, arguments) {
            let chunk = DatedExtract(
                extract: try bits.extract(row), mode: try row.choice("mode"),
                queued: try row.requiredTimestamp("queued"),
                accepted: try bits.changed(row)?.acceptedAt ?? row.timestamp("accepted_at"),
                isCurrent: try row["revision"] as Int == row["current"])
            for (device, ordinal) in placed where chunk.extract.isPlain(ordinal) { try body(device, ordinal, chunk) }
        }
    }
}
