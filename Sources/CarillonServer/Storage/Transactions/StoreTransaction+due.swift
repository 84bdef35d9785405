import CarillonCore

/// What is due, of all that has rows: by channel and lane, the oldest first.
extension StoreTransaction {
    /// The numbers of what is due longest, single messages first in their own places.
    func due(
        _ request: ClaimRequest, _ channels: [Int64], _ buckets: inout [Int64: TokenBucket]
    ) throws -> [Int64] {
        let single = try due(.single, channels, &buckets, limit: request.limit)
        let bulk = try due(
            .bulk, channels, &buckets, limit: min(request.bulkLimit, request.limit - single.count))
        return single + bulk
    }

    private func due(
        _ lane: DeliveryLane, _ channels: [Int64], _ buckets: inout [Int64: TokenBucket], limit: Int
    ) throws -> [Int64] {
        var found: [(due: Int64, number: Int64, app: Int64)] = []
        for channel in channels {
            let app = Self.app(ofChannel: channel)
            let limit = min(limit, buckets[app]?.available(to: lane) ?? limit)
            guard limit > 0 else { continue }
            var rows = try due(lane, channel, "due <= ?", now, limit: limit)
            if rows.count < limit {
                // Nothing waits that long: it was queued before the clock was set back.
                let latest = now + ServiceLimits.longestTurn
                rows += try due(lane, channel, "due > ?", latest, limit: limit - rows.count)
            }
            found += rows.map { ($0["due"], $0["number"], app) }
        }
        var numbers: [Int64] = []
        for delivery in found.sorted(by: { ($0.due, $0.number) < ($1.due, $1.number) }) where numbers.count < limit {
            // Both environments of an app share its bucket.
            if let bucket = buckets[delivery.app], bucket.available(to: lane) == 0 { continue }
            buckets[delivery.app]?.take(1)
            numbers.append(delivery.number)
        }
        return numbers
    }

    private func due(
        _ lane: DeliveryLane, _ channel: Int64, _ condition: String, _ moment: Timestamp, limit: Int
    ) throws -> [SQLRow] {
        try rows(
            """
            SELECT due, number FROM deliveries
            WHERE state = 'queued' AND sender IS NULL AND channel = ? AND lane = ? AND \(condition)
            ORDER BY due, number LIMIT ?
            """, [channel, lane.rawValue, moment.millisecondsSince1970, limit])
    }

    /// When the next of what waits falls due; `nil` when nothing waits.
    func nextDue(
        in channels: [Int64], _ buckets: [Int64: TokenBucket], lanes: [DeliveryLane] = DeliveryLane.allCases
    ) throws -> Timestamp? {
        var moments: [Timestamp] = []
        for channel in channels {
            for lane in lanes {
                let first = try row(
                    """
                    SELECT min(due) AS due FROM deliveries
                    WHERE state = 'queued' AND sender IS NULL AND channel = ? AND lane = ?
                    """, [channel, lane.rawValue])
                guard let due = first?.timestamp("due") else { continue }
                let bucket = buckets[Self.app(ofChannel: channel)]
                moments.append(bucket.map { $0.available(to: lane) == 0 ? max(due, $0.next(for: lane)) : due } ?? due)
            }
        }
        return moments.min()
    }
}
