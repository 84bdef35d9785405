import CarillonCore

/// Queues the second pushes (``SecondPush``) of messages whose deliveries are kept as bitmaps, a bit for each device
/// (``RangeRules``).
///
/// A second push is the notice of a recalled message, or the visible push of a message with ``DeliveryMode/assured`` to a device
/// that has not answered the silent push. Each second push gets a row in `deliveries`.
///
/// A ``RangeChunk`` stores the deliveries of a message to one range of devices. All its second pushes fall due together.
struct FeedingSecondPushes: SessionPart {
    let session: StoreSession
    private let devices: DevicesTable
    private let deliveries: DeliveriesTable
    private let ranges: RangesTable
    private let chunks: ChunksTable
    private let kept: KeptDeliveries

    init(_ session: StoreSession) {
        self.session = session
        devices = DevicesTable(session)
        deliveries = DeliveriesTable(session)
        ranges = RangesTable(session)
        chunks = ChunksTable(session)
        kept = KeptDeliveries(session)
    }

    /// Queues due second pushes (``SecondPush``), each with a row that senders claim like any other row.
    ///
    /// - Parameters:
    ///   - channels: the channels (``SendingChannel``) whose pushes a sender may send.
    ///   - limit: the greatest number of pushes to queue. The function queues none for a channel in which this many due pushes of
    ///     ``DeliveryLane/bulk`` wait already.
    /// - Returns: the work done, summed over the processed chunks (``RangeChunk``). Each chunk adds the number of its devices
    ///   with a due second push, but at least 1. The result is 0 if there is no chunk to process.
    /// - Throws: the errors of the database.
    func feedFollowUps(_ channels: OpenChannels, limit: Int) throws -> Int {
        var left = limit
        for row in try rows(due) where left > 0 {
            guard try channels.contains(row["channel"]), let stored = try chunks.chunk(row["number"]) else { continue }
            let room = min(left, limit - (try deliveries.waitingAlready(.bulk, in: stored.channel, atMost: limit)))
            guard room > 0 else { continue }
            left -= try chunks.settingAside(stored.number) { try feedFollowUps(of: stored, limit: room) } ?? 1
        }
        return limit - left
    }

    /// The query for the chunks with due second pushes.
    var due: SQLStatement {
        // No second push waits longer than this. A later due time was stored before the clock was set back.
        ChunksTable.following(at: now, orAfter: now + StoreLimits.longestTurn)
    }

    func feedFollowUps(of stored: StoredChunk, limit: Int) throws -> Int {
        guard let message = try ranges.ranged(stored.message) else { return 0 }
        let second = SecondPush(of: message)
        let isOver = second == .fallback && message.end(SendingRules(), at: now) != nil
        let followed = isOver ? nil : second?.devices(in: stored.chunk, of: message.mode)
        let places = followed?.places(limit: limit) ?? []
        let devices = try self.devices.devices(at: places, of: stored, message.app)
        for place in places {
            guard let device = devices[place] else { continue }
            let place = ChunkPlace(chunk: stored.number, place: place)
            guard var delivery = try kept.delivery(at: place, message, on: device["id"], device) else { continue }
            try kept.giveRows(&delivery, at: place)
        }
        try chunks.change(stored.number) { chunk in
            chunk[.followed] = chunk[.followed].union(DeviceSet(places))
            if places.count < limit { chunk.followDue = nil }
        }
        return max(1, places.count)
    }

    /// Makes a delivery's second push (``SecondPush``) due now, if the device has sent no receipts for its last silent pushes.
    ///
    /// The delivery then gets rows of its own in the table `deliveries`. Before, it was kept in a ``RangeChunk``: in bitmaps that
    /// have a bit for each of many devices.
    ///
    /// A delivery that already has rows, or has no second push, stays unchanged.
    func hasten(_ stored: inout StoredDelivery) throws {
        guard let place = stored.place, let second = SecondPush(of: stored.delivery),
            stored.delivery[second.purpose] != nil, SecondPush.isAtOnce(stored.delivery, SendingRules())
        else { return }
        stored.delivery[second.purpose]?.due = now
        try kept.giveRows(&stored, at: place)
    }
}
