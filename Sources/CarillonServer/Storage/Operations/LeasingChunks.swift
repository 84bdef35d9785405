import CarillonCore

/// Claims for a sender as many pushes as it can take, of messages whose deliveries are kept as bitmaps with a bit for each
/// device (``RangeRules``).
///
/// A chunk (``RangeChunk``) keeps the deliveries of one message to a range of devices. The sender leases the whole chunk, so that
/// no other sender sends its pushes.
struct LeasingChunks: SessionPart {
    let session: StoreSession
    private let messages: MessagesTable
    private let devices: DevicesTable
    private let ranges: RangesTable
    private let chunks: ChunksTable
    private let kept: KeptDeliveries
    private let own: OwnPushes
    private let unread: UnreadMessages
    private let bits: DeviceChunks
    private let channels: SendingChannels
    private let planning: Planning

    init(_ session: StoreSession) {
        self.session = session
        messages = MessagesTable(session)
        devices = DevicesTable(session)
        ranges = RangesTable(session)
        chunks = ChunksTable(session)
        kept = KeptDeliveries(session)
        own = OwnPushes(session)
        unread = UnreadMessages(session)
        bits = DeviceChunks(session)
        channels = SendingChannels(session)
        planning = Planning(session)
    }

    /// Claims at most `limit` pushes of messages whose deliveries are kept as bitmaps, a bit for each device (``RangeRules``).
    ///
    /// - Returns: `claimed` has the pushes. `examined` is the amount of work: 1 for each push, and 1 for each ``RangeChunk`` that
    ///   was created or had no push to claim; 0 if nothing is due.
    func claimRanges(
        _ request: ClaimRequest, limit: Int, _ buckets: inout [Int64: TokenBucket]
    ) throws -> (claimed: [ClaimedDelivery], examined: Int) {
        let channels = try self.channels.openChannels(
            except: request.except.union(request.bulkExcept), only: request.only)
        var (claimed, examined): ([ClaimedDelivery], Int) = ([], 0)
        var plans = StoreLimits.chunksPlannedPerClaim
        // Many chunks can fall due at one moment and have ended: the next claim goes on with the rest.
        while claimed.count < limit, examined - claimed.count < StoreLimits.emptyChunksPerClaim {
            let next = try claimableChunk(request.sender, channels, buckets)
            if let next {
                let app = SendingChannel.app(of: next.channel)
                let room = min(limit - claimed.count, buckets[app]?.available(to: .bulk) ?? .max)
                let pushes = try takeReadable(from: next.number, by: request.sender, limit: room)
                buckets[app]?.take(pushes.count)
                if claimed.isEmpty { claimed = pushes } else { claimed += pushes }
                examined += max(1, pushes.count)
            } else if plans > 0, let message = try ranges.messageToPlan(channels, buckets) {
                examined += 1
                plans -= try planReadable(message, room: limit - claimed.count)
            } else {
                break
            }
        }
        return (claimed, examined)
    }

    private func claimableChunk(
        _ sender: SenderNumber, _ channels: OpenChannels, _ buckets: [Int64: TokenBucket]
    ) throws -> (number: Int64, channel: Int64)? {
        // Writes the changed chunks, because the next query reads them from the table.
        try chunks.keep()
        return try rows(ChunksTable.claimable(for: sender, at: now)).map {
            try (number: $0["number"] as Int64, channel: $0["channel"] as Int64)
        }
        .first {
            channels.contains($0.channel) && buckets[SendingChannel.app(of: $0.channel)]?.available(to: .bulk) != 0
        }
    }

    // MARK: Unreadable chunks

    /// Claims at most `limit` pushes of the ``RangeChunk`` with this number.
    ///
    /// A chunk stores a message's deliveries to a range of devices. If the chunk cannot be decoded, the function claims nothing
    /// and marks the chunk for an operator, so that it does not block other chunks.
    private func takeReadable(
        from number: Int64, by sender: SenderNumber, limit: Int
    ) throws -> [ClaimedDelivery] {
        try chunks.settingAside(number) { try take(from: number, by: sender, limit: limit) } ?? []
    }

    /// Creates the next ``RangeChunk`` of a message, which stores the message's deliveries to the next range of devices.
    ///
    /// If the message cannot be decoded, the function sets it aside instead: senders skip it until an operator acts.
    ///
    /// - Parameters:
    ///   - message: the message's number.
    ///   - room: the number of pushes that the sender can still claim in this call.
    /// - Returns: the cost of creating the chunk. A chunk of the default size (``RangeRules/chunkDevices``) costs 1, a larger
    ///   one 1 or more.
    /// - Throws: the errors of the database.
    private func planReadable(_ message: Int64, room: Int) throws -> Int {
        do {
            return try LateStep.naming(.plan(message)) { try planning.planChunk(of: message, room: room) }
        } catch let error as any EngineError {
            throw error
        } catch {
            try ranges.setAside(message, because: error)
            return 1
        }
    }

    // MARK: One chunk

    private func take(from number: Int64, by sender: SenderNumber, limit: Int) throws -> [ClaimedDelivery] {
        guard let stored = try chunks.chunk(number), let message = try ranges.ranged(stored.message) else { return [] }
        if stored.chunk.revision < message.revision {
            // The newer revision takes over the chunk's devices after the pushes in flight have ended.
            try chunks.change(number) { $0.stop(as: .cancelled) }
            return []
        }
        if let end = message.end(SendingRules(), due: stored.chunk.due, at: now) {
            try chunks.change(number) { $0.stop(as: end) }
            return []
        }
        let places = stored.chunk.waiting(limit: limit)
        let devices = try self.devices.rangedDevices(at: places, of: stored, message.app)
        // Decodes the content before changing anything, so that a push without readable content is never leased.
        let contents = try contents(of: message, for: devices)
        let ordinals = stored.first...stored.first + Int64(message.chunkDevices) - 1
        let beside = Beside(
            asked: try bits.askedExtracts(over: ordinals, of: message.app.number.rawValue),
            icons: try unread.numbers(
                of: devices.compactMap { $0.user.map { UserReference($0, of: message.app.number) } }))
        let lease = try chunks.change(number) { chunk in
            chunk.pass((places.last ?? message.chunkDevices) + 1)
            return chunk.lease(to: sender)
        }
        guard let lease else { return [] }
        var (claimed, handed): ([ClaimedDelivery], [Int]) = ([], [])
        claimed.reserveCapacity(devices.count)
        for device in devices {
            guard try isSent(message, device, of: stored), let content = contents[device.locale] else { continue }
            handed.append(device.place)
            var push = try push(ChunkPlace(chunk: number, place: device.place), message, device, lease, beside)
            push.message = content
            push.encoding = content.encoding(for: push)
            push.since = message.start(due: stored.chunk.due)
            claimed.append(push)
        }
        try chunks.change(number) { $0.handOver(handed, at: now) }
        return claimed
    }

    /// Returns whether the push to a device can be sent from the ``RangeChunk``'s bits, without a row of its own.
    ///
    /// It cannot if the device is unreachable, has a token that is not confirmed (``DeviceRecord/confirmed``), or now belongs to
    /// another ``SendingChannel`` than the chunk. In this case, the function stores the delivery in rows instead.
    private func isSent(
        _ message: RangedMessage, _ device: RangedDevice, of stored: StoredChunk
    ) throws -> Bool {
        let standing = DeviceStanding(isReachable: device.isActive && device.token != nil, user: device.user)
        let actual = SendingChannel.number(message.app.number.rawValue, device.environment)
        if standing.isReachable, actual == stored.channel, device.isConfirmed { return true }
        let place = ChunkPlace(chunk: stored.number, place: device.place)
        let kept = try chunks.chunk(stored.number)?.chunk.delivery(
            at: device.place, of: message, silentUnanswered: device.silentUnanswered)
        guard var delivery = kept else { return false }
        delivery.show.state = .queued
        var stored = StoredDelivery(
            message, on: device.id, owner: device.user, channel: actual, place: place, delivery)
        try self.kept.giveRows(&stored, at: place)
        let hindrance = delivery.hindrance(to: .show, standing, until: message.until, SendingRules(), at: now)
        if let hindrance { try self.kept.receive(hindrance, for: &stored) }
        return false
    }

    /// Data that is read once and then used for all pushes of a ``RangeChunk``: other messages to remove, and the users' unread
    /// counts.
    private struct Beside {
        /// Extracts (``ChunkExtract``), each about one message, with flags that show which devices must remove the message.
        ///
        /// The push to a device also asks the device to remove these messages.
        let asked: [ChunkExtract]
        let icons: UnreadNumbers
    }

    private func push(
        _ place: ChunkPlace, _ message: RangedMessage, _ device: RangedDevice, _ lease: Lease, _ beside: Beside
    ) throws -> ClaimedDelivery {
        guard let token = device.token.flatMap(DeviceToken.init(hex:)) else {
            throw ServiceError(.storage, "the database holds something unreadable in column token")
        }
        let ranged = beside.asked.isEmpty ? [] : try bits.broadcastRemovals(of: device.ordinal, in: beside.asked)
        let isAsked = device.hasOpenRemovals || !ranged.isEmpty
        let removals =
            isAsked ? try own.openRemovals(of: device.id, ranged, limit: DeliveryLimits.removalsPerPush + 1) : []
        let user = device.user.map { UserReference($0, of: message.app.number) }
        return ClaimedDelivery(
            number: place.number, purpose: .show, lease: lease, lane: .bulk, device: device.id,
            app: AppID(topic: message.app.topic, environment: device.environment), token: token,
            revision: message.revision, attempt: 1,
            unread: user.map { beside.icons[$0] },
            removals: removals.isEmpty ? [] : Array(removals.prefix(DeliveryLimits.removalsPerPush)),
            hasMoreRemovals: removals.count > DeliveryLimits.removalsPerPush, hasUnanswered: false)
    }

    /// Returns a message's content in the languages that the devices need, by the devices' locale.
    private func contents(
        of message: RangedMessage, for devices: [RangedDevice]
    ) throws -> [String?: ClaimedMessage] {
        var contents: [String?: ClaimedMessage] = [:]
        for device in devices where contents[device.locale] == nil {
            contents[device.locale] = try messages.message(message.number, in: device.locale, for: nil)
        }
        return contents
    }

    // MARK: The next turn

    /// Returns the earliest time at which a ``RangeChunk`` may be created, or a push of a chunk may be sent; `nil` if nothing
    /// waits.
    ///
    /// - Parameters:
    ///   - open: the channels (``SendingChannel``) whose pushes a sender may send.
    ///   - buckets: the rate limits, by app number.
    ///   - sender: a sender whose leased chunks are considered too. If it is `nil`, only chunks without a lease are considered.
    /// - Returns: the time.
    /// - Throws: the errors of the database.
    func nextRangeDue(
        _ open: OpenChannels, _ buckets: [Int64: TokenBucket], for sender: SenderNumber?
    ) throws -> Timestamp? {
        var moments: [Timestamp] = []
        for (app, due) in try ranges.plansDue() where open.contain(app: app) {
            moments.append(max(due, turn(of: app, buckets)))
        }
        for row in try rows(ChunksTable.claimable(for: sender, at: now)) where try open.contains(row["channel"]) {
            try moments.append(turn(of: SendingChannel.app(of: row["channel"]), buckets))
        }
        if let due = try row(ChunksTable.nextDue(after: now))?.timestamp("due") { moments.append(due) }
        for row in try rows(ChunksTable.removing) {
            let channel: Int64 = try row["channel"]
            guard open.contains(max(channel, -1 - channel)) else { continue }
            moments.append(turn(of: SendingChannel.app(of: max(channel, -1 - channel)), buckets))
        }
        for (channel, due) in try chunks.followUpsDue() where open.contains(channel) {
            moments.append(max(due, turn(of: SendingChannel.app(of: channel), buckets)))
        }
        return moments.min()
    }

    /// The queries with which ``claimRanges(_:limit:_:)`` and ``nextRangeDue(_:_:for:)`` begin.
    func first(for sender: SenderNumber) -> [SQLStatement] {
        [
            ChunksTable.removing, ChunksTable.claimable(for: sender, at: now), ranges.toPlan, RangesTable.plansDue,
            ChunksTable.nextDue(after: now), ChunksTable.followUpsDue,
        ]
    }

    private func turn(of app: Int64, _ buckets: [Int64: TokenBucket]) -> Timestamp {
        buckets[app].map { $0.available(to: .bulk) == 0 ? max(now, $0.next(for: .bulk)) : now } ?? now
    }
}
