import CarillonCore

/// Chunks go to the sender that asks: a part of the window at a time.
extension StoreTransaction {
    /// Pushes of messages that are sent by ranges, as far as there is room beside the others.
    ///
    /// - Returns: the pushes, and how much was looked at; 0 when nothing is due.
    mutating func claimRanges(
        _ request: ClaimRequest, limit: Int, _ buckets: inout [Int64: TokenBucket]
    ) throws -> (claimed: [ClaimedDelivery], examined: Int) {
        let channels = try openChannels(except: request.except, only: request.only)
        var (claimed, examined): ([ClaimedDelivery], Int) = ([], 0)
        var plans = ServiceLimits.chunksPlannedPerClaim
        while claimed.count < limit {
            let next = try claimableChunk(request.sender, channels, buckets)
            if let next {
                let app = Self.app(ofChannel: next.channel)
                let room = min(limit - claimed.count, buckets[app]?.available(to: .bulk) ?? .max)
                let pushes = try takeReadable(from: next.number, by: request.sender, limit: room)
                buckets[app]?.take(pushes.count)
                if claimed.isEmpty { claimed = pushes } else { claimed += pushes }
                examined += max(1, pushes.count)
            } else if plans > 0, let message = try messageToPlan(channels, buckets) {
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
        // What this transaction has handed over is not in the table yet.
        try keepChunks()
        return try claimableChunks(for: sender).map { (number: $0["number"] as Int64, channel: $0["channel"] as Int64) }
            .first {
                channels.contains($0.channel) && buckets[Self.app(ofChannel: $0.channel)]?.available(to: .bulk) != 0
            }
    }

    // MARK: What cannot be read

    /// What cannot be read must not hold up all the rest: it waits for a person.
    private mutating func takeReadable(
        from number: Int64, by sender: SenderNumber, limit: Int
    ) throws -> [ClaimedDelivery] {
        do {
            return try take(from: number, by: sender, limit: limit)
        } catch let error as any EngineError {
            throw error
        } catch {
            cache.changed.remove(number)
            cache.chunks[number] = nil
            try execute(
                "UPDATE chunks SET open = 0, rest = ?, problem = ? WHERE number = ?",
                [DeliveryState.setAside.rawValue, "\(error)", number])
            return []
        }
    }

    /// - Returns: how many chunks of usual length it was as much work as.
    private mutating func planReadable(_ message: Int64, room: Int) throws -> Int {
        do {
            return try planChunk(of: message, room: room)
        } catch let error as any EngineError {
            throw error
        } catch {
            try execute("UPDATE ranges SET open = 0, problem = ? WHERE message = ?", ["\(error)", message])
            forgetRanged(message)
            return 1
        }
    }

    // MARK: One chunk

    private mutating func take(from number: Int64, by sender: SenderNumber, limit: Int) throws -> [ClaimedDelivery] {
        guard let stored = try chunk(number), let message = try ranged(stored.message) else { return [] }
        if stored.chunk.revision < message.revision {
            // The newer revision takes it when what is in flight has ended.
            try change(number) { $0.stop(as: .cancelled) }
            return []
        }
        if let end = message.end(SendingRules(), at: now) {
            try change(number) { $0.stop(as: end) }
            return []
        }
        let places = stored.chunk.waiting(limit: limit)
        let devices = try rangedDevices(at: places, of: stored, message.app)
        // Read before anything is changed: what cannot be read is not leased.
        let variants = try variants(of: message, for: devices)
        let ordinals = stored.first...stored.first + Int64(message.chunkDevices) - 1
        let asked = try askedExtracts(over: ordinals, of: message.app.number.rawValue)
        let lease = try change(number) { chunk in
            chunk.pass((places.last ?? message.chunkDevices) + 1)
            return chunk.lease(to: sender)
        }
        guard let lease else { return [] }
        var (claimed, handed): ([ClaimedDelivery], [Int]) = ([], [])
        claimed.reserveCapacity(devices.count)
        for device in devices {
            guard try isSent(message, device, of: stored), let variant = variants[device.locale] else { continue }
            handed.append(device.place)
            var push = try push(ChunkPlace(chunk: number, place: device.place), message, device, lease, asked)
            variant.fill(&push)
            claimed.append(push)
        }
        try change(number) { $0.handOver(handed, at: now) }
        return claimed
    }

    /// Whether a device gets its push from the chunk; who does not has rows from now on.
    private mutating func isSent(
        _ message: RangedMessage, _ device: RangedDevice, of stored: StoredChunk
    ) throws -> Bool {
        let standing = DeviceStanding(isReachable: device.isActive && device.token != nil, user: device.user)
        let actual = Self.channel(message.app.number.rawValue, device.environment)
        if standing.isReachable, actual == stored.channel, device.isConfirmed { return true }
        let place = ChunkPlace(chunk: stored.number, place: device.place)
        let kept = try chunk(stored.number)?.chunk.delivery(
            at: device.place, of: message, silentUnanswered: device.silentUnanswered)
        guard var delivery = kept else { return false }
        delivery.show.state = .queued
        var stored = StoredDelivery(
            message, on: device.id, owner: device.user, channel: actual, place: place, delivery)
        try giveRows(&stored, at: place)
        let hindrance = delivery.hindrance(to: .show, standing, until: message.until, SendingRules(), at: now)
        if let hindrance { try receive(hindrance, for: &stored) }
        return false
    }

    private func push(
        _ place: ChunkPlace, _ message: RangedMessage, _ device: RangedDevice, _ lease: Lease, _ asked: [ChunkExtract]
    ) throws -> ClaimedDelivery {
        guard let token = device.token.flatMap(DeviceToken.init(hex:)) else {
            throw ServiceError(.storage, "the database holds something unreadable in column token")
        }
        let ranged = asked.isEmpty ? [] : try rangedRemovals(of: device.ordinal, in: asked)
        let isAsked = device.hasOpenRemovals || !ranged.isEmpty
        let removals = isAsked ? try openRemovals(of: device.id, ranged, limit: ServiceLimits.removalsPerPush + 1) : []
        let user = device.user.map { UserReference($0, of: message.app.number) }
        return ClaimedDelivery(
            number: place.number, purpose: .show, lease: lease, lane: .bulk, device: device.id,
            app: AppID(topic: message.app.topic, environment: device.environment), token: token,
            revision: message.revision, attempt: 1,
            unread: try user.map { try unreadCount(of: $0, counted: device.countedUnread) },
            removals: removals.isEmpty ? [] : Array(removals.prefix(ServiceLimits.removalsPerPush)),
            hasMoreRemovals: removals.count > ServiceLimits.removalsPerPush, hasUnanswered: false)
    }

    /// What devices get, by their locales: in their languages.
    private mutating func variants(
        of message: RangedMessage, for devices: [RangedDevice]
    ) throws -> [String?: ChunkVariant] {
        var variants: [String?: ChunkVariant] = [:]
        for device in devices where variants[device.locale] == nil {
            variants[device.locale] = try variant(of: message, in: device.locale)
        }
        return variants
    }

    private mutating func variant(of message: RangedMessage, in locale: String?) throws -> ChunkVariant {
        let row = try contentRow(of: message.number)
        let name = ChunkVariant.Name(
            message: message.number, language: try language(of: row, message.number, in: locale))
        if let known = cache.variants[name] { return known }
        let variant = ChunkVariant(
            ClaimedMessage(
                id: message.id, mode: message.mode, until: message.until,
                payload: try payload(of: row, message.number, in: locale, for: nil),
                badgeIsUnreadCount: row["badge_is_unread"], dialect: message.dialect, keepsReplies: row["keeps_replies"]
            ), templates)
        cache.variants[name] = variant
        return variant
    }
}
