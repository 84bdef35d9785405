import CarillonCore

/// Measures the queues of each app for metrics, with reads of bounded cost.
struct MeasuringQueues: SessionPart {
    let session: StoreSession
    private let deliveries: DeliveriesTable

    init(_ session: StoreSession) {
        self.session = session
        deliveries = DeliveriesTable(session)
    }

    /// Returns a ``QueueReading`` for each non-empty queue of each app in `topics`, the bundle ids by app number.
    func queues(_ topics: [Int64: String]) throws -> [QueueReading] {
        try (pushes() + plans() + chunks() + removingChunks() + removals()).compactMap { app, queue in
            guard queue.depth > 0, let topic = topics[app] else { return nil }
            var queue = queue
            queue.topic = topic
            return queue
        }
    }

    private typealias Queue = (app: Int64, queue: QueueReading)

    private func pushes() throws -> [Queue] {
        try deliveries.waitingChannels().flatMap { channel in
            try DeliveryLane.allCases.map { lane in
                let depth = try deliveries.waitingAlready(lane, in: channel, atMost: StoreLimits.countedPushes)
                return try queue(
                    .pushes, SendingChannel.app(of: channel), depth,
                    depth > 0 ? deliveries.nextDue(lane, in: channel) : nil)
            }
        }
    }

    /// Returns one queue for each message whose recipients are not all determined yet.
    ///
    /// The length of a queue is the number of devices that must still be examined.
    private func plans() throws -> [Queue] {
        try rows(
            """
            SELECT ranges.app, ranges.due, coalesce(ranges.last, apps.next_ordinal - 1) - ranges.planned AS count
            FROM ranges JOIN apps ON apps.number = ranges.app WHERE ranges.open = 1 AND ranges.due <= ?
            """, [now.millisecondsSince1970]
        ).map { try queue(.broadcasts, $0["app"], $0["count"], $0.timestamp("due")) }
    }

    private func chunks() throws -> [Queue] {
        try rows(
            """
            SELECT ranges.app, count(*) * max(ranges.chunk_devices) AS count,
                min(CASE WHEN chunks.due > ranges.began THEN chunks.due ELSE ranges.began END) AS since
            FROM chunks JOIN ranges ON ranges.message = chunks.message
            WHERE chunks.open = 1 AND chunks.due <= ? AND chunks.channel >= 0 GROUP BY ranges.app
            """, [now.millisecondsSince1970]
        ).map { try queue(.broadcasts, $0["app"], $0["count"], $0.timestamp("since")) }
    }

    private func removingChunks() throws -> [Queue] {
        try rows(
            """
            SELECT ranges.app, count(*) * max(ranges.chunk_devices) AS count,
                min(coalesce(chunks.withdrawn_at, chunks.ended_at, chunks.replaced_at)) AS since
            FROM chunks JOIN ranges ON ranges.message = chunks.message WHERE chunks.removing = 1 GROUP BY ranges.app
            """
        ).map { try queue(.broadcastRemovals, $0["app"], $0["count"], $0.timestamp("since")) }
    }

    private func removals() throws -> [Queue] {
        try rows(
            """
            SELECT devices.app, count(*) AS count, min(found.requested) AS since
            FROM (SELECT device, requested FROM removals WHERE confirmed IS NULL LIMIT ?) AS found
                JOIN devices ON devices.id = found.device
            GROUP BY devices.app
            """, [StoreLimits.countedRemovals]
        ).map { try queue(.removals, $0["app"], $0["count"], $0.timestamp("since")) }
    }

    private func queue(_ kind: QueueReading.Kind, _ app: Int64, _ depth: Int, _ oldest: Timestamp?) -> Queue {
        (app, QueueReading(kind: kind, topic: "", depth: depth, oldest: oldest))
    }
}
