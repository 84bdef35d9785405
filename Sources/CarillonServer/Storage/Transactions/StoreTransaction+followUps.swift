import CarillonCore

/// The second push of a message that is sent by ranges: one moment for each chunk, and rows for those who need it.
extension StoreTransaction {
    /// Queues second pushes whose moment has come, as many as can be sent now: they are pushes like any others from then on.
    ///
    /// - Returns: how much was looked at; 0 when nothing is due.
    mutating func feedFollowUps(_ channels: OpenChannels, limit: Int) throws -> Int {
        var left = limit
        // None waits longer: the moment was set before the clock was set back.
        let latest = now + ServiceLimits.longestTurn
        let due = try rows(
            "SELECT number, channel FROM chunks WHERE (follow <= ? OR follow > ?) AND channel >= 0 ORDER BY follow, number",
            [now.millisecondsSince1970, latest.millisecondsSince1970])
        for row in due where left > 0 {
            guard channels.contains(row["channel"]), let stored = try chunk(row["number"]) else { continue }
            let room = min(left, limit - (try waitingAlready(.bulk, in: stored.channel, atMost: limit)))
            if room > 0 { left -= try feedFollowUps(of: stored, limit: room) }
        }
        return limit - left
    }

    private mutating func feedFollowUps(of stored: StoredChunk, limit: Int) throws -> Int {
        guard let message = try ranged(stored.message) else { return 0 }
        let isOver = !message.isRecalled && message.end(SendingRules(), at: now) != nil
        let places = isOver ? [] : stored.chunk.followers(of: message).places(limit: limit)
        let devices = try devices(at: places, of: stored, message.app)
        for place in places {
            guard let device = devices[place] else { continue }
            let place = ChunkPlace(chunk: stored.number, place: place)
            guard var delivery = try delivery(at: place, message, on: device["id"], device) else { continue }
            try giveRows(&delivery, at: place)
        }
        try change(stored.number) { chunk in
            chunk[.followed] = chunk[.followed].union(DeviceSet(places))
            if places.count < limit { chunk.followDue = nil }
        }
        return max(1, places.count)
    }

    /// When second pushes are to be queued.
    func followUpsDue() throws -> [(channel: Int64, due: Timestamp)] {
        try rows(
            "SELECT channel, min(follow) AS follow FROM chunks WHERE follow IS NOT NULL AND channel >= 0 GROUP BY channel"
        ).map { ($0["channel"], try $0.requiredTimestamp("follow")) }
    }

    /// A device whose silent pushes nobody has answered lately gets the notice at once.
    mutating func hastenNotice(of stored: inout StoredDelivery, _ rules: SendingRules = SendingRules()) throws {
        guard stored.delivery.notice != nil, let place = stored.place,
            stored.delivery.silentUnanswered >= rules.silentBeforeFallbackAtOnce
        else { return }
        stored.delivery.notice?.due = now
        try giveRows(&stored, at: place)
    }
}
