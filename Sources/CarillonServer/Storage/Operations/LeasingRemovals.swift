import CarillonCore

/// Claims the removal pushes of messages whose deliveries are kept as bitmaps, a bit for each device (``RangeRules``).
///
/// A removal push makes a phone remove messages. Here it waits as a bit of a ``RangeChunk``, not as a row, so that few statements
/// suffice for many pushes.
struct LeasingRemovals: SessionPart {
    let session: StoreSession
    private let devices: DevicesTable
    private let deliveries: DeliveriesTable
    private let requests: RemovalsTable
    private let ranges: RangesTable
    private let chunks: ChunksTable
    private let second: FeedingSecondPushes
    private let own: OwnPushes
    private let unread: UnreadMessages
    private let bits: DeviceChunks
    private let atAPNs: KeptByAPNs
    private let channels: SendingChannels

    init(_ session: StoreSession) {
        self.session = session
        devices = DevicesTable(session)
        deliveries = DeliveriesTable(session)
        requests = RemovalsTable(session)
        ranges = RangesTable(session)
        chunks = ChunksTable(session)
        second = FeedingSecondPushes(session)
        own = OwnPushes(session)
        unread = UnreadMessages(session)
        bits = DeviceChunks(session)
        atAPNs = KeptByAPNs(session)
        channels = SendingChannels(session)
    }

    /// Claims at most `limit` removal pushes of messages whose deliveries are kept as bitmaps, a bit for each device
    /// (``RangeRules``).
    ///
    /// A bit of a ``RangeChunk`` stores a waiting removal push, and a bit of a ``RemovalLease`` stores one in flight. A removal
    /// push that must be sent again gets a row in the table `deliveries`.
    ///
    /// - Returns: `claimed` has the pushes. `examined` is the number of devices examined; 0 if no push waits.
    func claimRemovals(
        _ request: ClaimRequest, limit: Int, _ buckets: inout [Int64: TokenBucket]
    ) throws -> (claimed: [ClaimedDelivery], examined: Int) {
        let channels = try self.channels.openChannels(
            except: request.except.union(request.bulkExcept), only: request.only)
        var (claimed, left): ([ClaimedDelivery], Int) = ([], max(0, limit))
        let waiting = try left > 0 ? rows(ChunksTable.removing) : []
        for row in waiting where left > 0 {
            let channel: Int64 = try row["channel"]
            // A pause does not delay removals.
            guard channels.contains(max(channel, -1 - channel)), let stored = try chunks.chunk(row["number"]) else {
                continue
            }
            let app = SendingChannel.app(of: stored.channel)
            let places = stored.chunk.untold.places(limit: min(left, buckets[app]?.available(to: .bulk) ?? left))
            let pushes = try chunks.settingAside(stored.number) {
                try claimRemovals(at: places, of: stored, by: request.sender)
            }
            guard let pushes else { continue }
            buckets[app]?.take(pushes.count)
            claimed += pushes
            left -= places.count
        }
        return (claimed, max(0, limit) - left)
    }

    func claimRemovals(
        at places: [Int], of stored: StoredChunk, by sender: SenderNumber
    ) throws -> [ClaimedDelivery] {
        guard let message = try ranges.ranged(stored.message) else { return [] }
        let devices = try self.devices.rangedDevices(at: places, of: stored, message.app)
        let waiting = try session.cache.told.union(deliveries.waitingRemovals(of: devices.map(\.id)))
        var told: [RangedDevice] = []
        for device in devices {
            if try !isToldAlone(device, of: stored, message), !waiting.contains(device.id) { told.append(device) }
        }
        try chunks.change(stored.number) { chunk in chunk[.told] = chunk[.told].union(DeviceSet(places)) }
        return try claimRemovals(to: told, of: stored, message, by: sender)
    }

    /// Returns whether a device needs a removal push with a row of its own, and if so, queues that push.
    ///
    /// It needs one if it is unreachable, or if it now belongs to another ``SendingChannel`` than the ``RangeChunk``. It also
    /// needs one for a message in Pushwoosh's format, because in this format a push can remove only one message.
    private func isToldAlone(
        _ device: RangedDevice, of stored: StoredChunk, _ message: RangedMessage
    ) throws -> Bool {
        let actual = SendingChannel.number(message.app.number.rawValue, device.environment)
        let isReachable = device.isActive && device.token != nil
        let isAlone = message.dialect == .pushwoosh || !isReachable || actual != stored.channel
        guard isAlone || message.hasNotice,
            let kept = stored.chunk.delivery(
                at: device.place, of: message, silentUnanswered: device.silentUnanswered)
        else { return isAlone }
        var delivery = StoredDelivery(
            message, on: device.id, owner: device.user, channel: stored.channel,
            place: ChunkPlace(chunk: stored.number, place: device.place), kept)
        try second.hasten(&delivery)
        if isAlone { try own.queueRemoval(of: delivery) }
        return isAlone
    }

    // MARK: The pushes

    /// The data shared by several removal pushes that one sender sends to devices of one ``RangeChunk``.
    ///
    /// A removal push makes a device remove messages. A chunk stores a message's deliveries to a range of devices.
    private struct RemovalBatch {
        let app: AppReference
        let lease: RemovalLease
        /// Extracts (``ChunkExtract``), each about one message, with flags that show which devices must remove the message.
        let asked: [ChunkExtract]
        /// The ids of devices for which APNs may still be keeping a push with a message.
        let unanswered: Set<String>
        let icons: UnreadNumbers
    }

    func claimRemovals(
        to devices: [RangedDevice], of stored: StoredChunk, _ message: RangedMessage, by sender: SenderNumber
    ) throws -> [ClaimedDelivery] {
        guard !devices.isEmpty else { return [] }
        let ordinals = stored.first...stored.first + Int64(message.chunkDevices) - 1
        let app = message.app.number.rawValue
        var lease =
            try chunks.removalLease(of: sender, in: stored.number)
            ?? RemovalLease(chunk: stored.number, sender: sender, began: now)
        let batch = RemovalBatch(
            app: message.app, lease: lease, asked: try bits.askedExtracts(over: ordinals, of: app),
            unanswered: try atAPNs.devices(among: devices.map { ($0.id, $0.ordinal) }, of: app),
            icons: try unread.numbers(
                of: devices.compactMap { $0.user.map { UserReference($0, of: message.app.number) } }))
        var (claimed, carried): ([ClaimedDelivery], [BroadcastRemoval]) = ([], [])
        for device in devices {
            let ranged = try bits.broadcastRemovals(of: device.ordinal, in: batch.asked)
            guard let push = try removalPush(to: device, ranged, batch) else { continue }
            lease.places.insert(device.place)
            session.cache.told.insert(device.id)
            claimed.append(push)
            carried += ranged
        }
        try chunks.keep(lease)
        try noteTold(carried)
        return claimed
    }

    /// Returns the push that makes a device remove messages.
    ///
    /// - Returns: the push; `nil` if the device has nothing to remove. Of the messages whose deliveries are kept as bitmaps with
    ///   a bit for each device (``RangeRules``), only the newest ``StoreLimits/liveBroadcasts`` are considered.
    private func removalPush(
        to device: RangedDevice, _ ranged: [BroadcastRemoval], _ batch: RemovalBatch
    ) throws -> ClaimedDelivery? {
        let limit = DeliveryLimits.removalsPerPush
        // This claim may have given the device rows, for its notice.
        let hasRows =
            try device.hasOpenRemovals
            || chunks.chunk(batch.lease.chunk)?.chunk[.row].contains(device.place) == true
        let removals =
            try hasRows
            ? own.openRemovals(of: device.id, ranged, limit: limit + 1) : OwnPushes.newest([], ranged, limit: limit + 1)
        guard !removals.isEmpty else { return nil }
        guard let token = device.token.flatMap(DeviceToken.init(hex:)) else {
            throw ServiceError(.storage, "the database holds something unreadable in column token")
        }
        if hasRows {
            try requests.note(
                push: batch.lease.push.revision, to: device.id, of: batch.app.number.rawValue,
                carries: removals.prefix(limit).map(\.message))
        }
        let user = device.user.map { UserReference($0, of: batch.app.number) }
        return ClaimedDelivery(
            number: ChunkPlace(chunk: batch.lease.chunk, place: device.place).number, purpose: .removal,
            lease: batch.lease.lease, lane: .bulk, device: device.id,
            app: AppID(topic: batch.app.topic, environment: device.environment), token: token,
            revision: batch.lease.push.revision, attempt: batch.lease.push.attempt,
            unread: user.map { batch.icons[$0] },
            removals: Array(removals.prefix(limit)), hasMoreRemovals: removals.count > limit,
            hasUnanswered: batch.unanswered.contains(device.id))
    }

    /// Records that claimed pushes carry these removals (``ChunkMark/told``), so that the service sends no further push for them.
    ///
    /// The function leaves out removals of messages with a notice or in Pushwoosh's format, because the service handles such
    /// removals one by one.
    private func noteTold(_ carried: [BroadcastRemoval]) throws {
        let others = carried.filter { $0.message.dialect != .pushwoosh && !$0.message.hasNotice }
        for (number, removals) in Dictionary(grouping: others, by: \.place.chunk) {
            let told = try chunks.chunk(number)?.chunk.untold.intersection(DeviceSet(removals.map(\.place.place)))
            guard let told, !told.isEmpty else { continue }
            try chunks.change(number) { chunk in chunk[.told] = chunk[.told].union(told) }
        }
    }
}
