import CarillonAPNs
import CarillonCore

/// Where pushes wait, and who has them in flight.
extension DeliveriesTable {
    func due(
        _ lane: DeliveryLane, _ channel: Int64, _ condition: String, _ moment: Timestamp, limit: Int
    ) throws -> [SQLRow] {
        try rows(
            """
            SELECT due, number FROM deliveries
            WHERE state = 'queued' AND sender IS NULL AND channel = ? AND lane = ? AND \(condition)
            ORDER BY due, number LIMIT ?
            """, [channel, lane.rawValue, moment.millisecondsSince1970, limit])
    }

    /// When the next push of a lane falls due in a channel; `nil` when none waits.
    func nextDue(_ lane: DeliveryLane, in channel: Int64) throws -> Timestamp? {
        try row(
            """
            SELECT min(due) AS due FROM deliveries
            WHERE state = 'queued' AND sender IS NULL AND channel = ? AND lane = ?
            """, [channel, lane.rawValue])?.timestamp("due")
    }

    /// The channels in which something waits.
    ///
    /// Takes one step of the index for each channel, however much waits in it.
    func waitingChannels() throws -> [Int64] {
        let waiting = "FROM deliveries WHERE state = 'queued' AND sender IS NULL AND channel >= 0"
        return try rows(
            """
            WITH RECURSIVE waiting (channel) AS (
                SELECT min(channel) \(waiting)
                UNION ALL
                SELECT (SELECT min(channel) \(waiting) AND channel > waiting.channel) FROM waiting
                    WHERE waiting.channel IS NOT NULL)
            SELECT channel FROM waiting WHERE channel IS NOT NULL
            """
        ).map { $0["channel"] as Int64 }
    }

    /// How many pushes of an app wait, held ones too, counted up to a limit.
    func countWaiting(in app: AppNumber, atMost limit: Int) throws -> Int {
        let open = APNsEnvironment.allCases.map { SendingChannel.number(app.rawValue, $0) }
        let channels = open + open.map { -1 - $0 }
        return try integer(
            """
            SELECT count(*) FROM (SELECT 1 FROM deliveries
                WHERE state = 'queued' AND sender IS NULL AND channel IN (?, ?, ?, ?) LIMIT ?) AS found
            """, SQLArguments(channels) + [limit])
    }

    /// What is held up already is not added to.
    func waitingAlready(_ lane: DeliveryLane, in channel: Int64, atMost limit: Int) throws -> Int {
        try integer(
            """
            SELECT count(*) FROM (SELECT 1 FROM deliveries WHERE state = 'queued' AND sender IS NULL AND channel = ?
                AND lane = ? AND due <= ? LIMIT ?) AS found
            """, [channel, lane.rawValue, now.millisecondsSince1970, limit])
    }

    // MARK: Held pushes

    /// Holds one delivery that a sender has met.
    func hold(_ number: Int64) throws {
        try execute("UPDATE deliveries SET channel = -1 - channel WHERE number = ? AND channel >= 0", [number])
    }

    /// Lets go what is held of a message on a device.
    func letGo(_ message: Int64, on device: String) throws {
        try execute(
            "UPDATE deliveries SET channel = -1 - channel WHERE message = ? AND device = ? AND channel < 0",
            [message, device])
    }

    /// The next devices that have rows of a message, in the order of their ids.
    func devices(of message: Int64, after device: String, limit: Int) throws -> [String] {
        try rows(
            """
            SELECT device FROM deliveries WHERE message = ? AND purpose = 'show' AND device > ?
            ORDER BY device LIMIT ?
            """, [message, device, limit]
        ).map { $0["device"] as String }
    }

    /// Holds what waits of a message on the devices between two ids, or lets it go.
    func hold(_ message: Int64, _ hold: Bool, onDevicesFrom first: String, through last: String) throws {
        let waiting = hold ? "channel >= 0 AND state = 'queued' AND sender IS NULL" : "channel < 0"
        try execute(
            """
            UPDATE deliveries SET channel = -1 - channel
            WHERE message = ? AND device BETWEEN ? AND ? AND purpose IN ('show', 'fallback') AND \(waiting)
            """, [message, first, last])
    }

    // MARK: Other devices and senders

    /// A device's token is one of another environment now: what waits for it goes there, and what may yet follow on what
    /// has been sent.
    func moveDeliveries(of device: String, to channel: Int64) throws {
        try execute(
            """
            UPDATE deliveries SET channel = CASE WHEN channel < 0 THEN -1 - ? ELSE ? END
            WHERE device = ? AND channel NOT IN (?, -1 - ?) AND purpose <> 'token-claim'
            """, [channel, channel, device, channel, channel])
    }

    /// Gives the pushes of a device to another; where that one has its own already, they stay.
    func move(from device: String, to other: String, where condition: String = "true") throws {
        try moveRows(in: "deliveries", from: device, to: other, by: ["message", "purpose"], where: condition)
    }

    /// The rows that a sender has in flight.
    func held(by sender: SenderNumber, limit: Int) throws -> [Int64] {
        try rows(
            "SELECT number FROM deliveries WHERE sender = ? ORDER BY number LIMIT ?", [sender.rawValue, limit]
        ).map { $0["number"] }
    }
}
