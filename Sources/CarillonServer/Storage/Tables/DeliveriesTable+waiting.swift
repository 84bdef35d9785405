import CarillonAPNs
import CarillonCore

/// Reads waiting pushes and pushes in flight, holds and releases waiting pushes, and moves pushes to another device or
/// ``SendingChannel``.
extension DeliveriesTable {
    /// Returns the query for the row numbers and due times of due pushes in one ``DeliveryLane`` of a ``SendingChannel``.
    ///
    /// Pushes with an impossible due time, later than `latest`, count as due too. Of each kind, the result has at most `limit`,
    /// those with the earliest due times.
    static func due(
        _ lane: DeliveryLane, _ channel: Int64, at now: Timestamp, orAfter latest: Timestamp, limit: Int
    ) -> SQLStatement {
        func pushes(_ condition: String) -> String {
            """
            SELECT due, number FROM deliveries
            WHERE state = 'queued' AND sender IS NULL AND channel = ? AND lane = ? AND \(condition)
            ORDER BY due, number LIMIT ?
            """
        }
        return SQLStatement(
            sql: """
                SELECT due, number FROM (\(pushes("due <= ?"))) AS early
                UNION ALL SELECT due, number FROM (\(pushes("due > ?"))) AS late
                """,
            arguments: [
                channel, lane.rawValue, now.millisecondsSince1970, limit, channel, lane.rawValue,
                latest.millisecondsSince1970, limit,
            ])
    }

    /// Returns the earliest due time of the pushes that wait in one ``DeliveryLane`` of a ``SendingChannel``; `nil` if none
    /// waits.
    func nextDue(_ lane: DeliveryLane, in channel: Int64) throws -> Timestamp? {
        try row(Self.nextDue(lane, in: channel))?.timestamp("due")
    }

    /// Returns the query of ``nextDue(_:in:)``.
    static func nextDue(_ lane: DeliveryLane, in channel: Int64) -> SQLStatement {
        SQLStatement(
            sql: """
                SELECT min(due) AS due FROM deliveries
                WHERE state = 'queued' AND sender IS NULL AND channel = ? AND lane = ?
                """, arguments: [channel, lane.rawValue])
    }

    /// Returns the numbers of the channels in which pushes wait.
    ///
    /// A channel (``SendingChannel``) is an app in one APNs environment. The query reads one index entry for each channel,
    /// however many pushes wait in it.
    func waitingChannels() throws -> [Int64] {
        try rows(Self.waitingChannels).map { try $0["channel"] as Int64 }
    }

    /// The query of ``waitingChannels()``.
    static let waitingChannels = {
        let waiting = "FROM deliveries WHERE state = 'queued' AND sender IS NULL AND channel >= 0"
        return SQLStatement(
            sql: """
                WITH RECURSIVE waiting (channel) AS (
                    SELECT min(channel) \(waiting)
                    UNION ALL
                    SELECT (SELECT min(channel) \(waiting) AND channel > waiting.channel) FROM waiting
                        WHERE waiting.channel IS NOT NULL)
                SELECT channel FROM waiting WHERE channel IS NOT NULL
                """)
    }()

    /// Returns the number of an app's waiting pushes, at most `limit`; it includes the held pushes of paused messages.
    func countWaiting(in app: AppNumber, atMost limit: Int) throws -> Int {
        let open = APNsEnvironment.allCases.map { SendingChannel.number(app.rawValue, $0) }
        let channels = open + open.map { -1 - $0 }
        let pushes = try integer(
            """
            SELECT count(*) FROM (SELECT 1 FROM deliveries
                WHERE state = 'queued' AND sender IS NULL AND channel IN (?, ?, ?, ?) LIMIT ?) AS found
            """, SQLArguments(channels) + [limit])
        // A broadcast without rows has more devices than this, and each claim of a sender looks at all that wait.
        let weight = DeliveryLimits.devicesWithRows
        let broadcasts = try integer(
            "SELECT count(*) FROM (SELECT 1 FROM ranges WHERE app = ? AND open = 1 LIMIT ?) AS found",
            [app.rawValue, limit / weight + 1])
        return min(limit, pushes + broadcasts * weight)
    }

    /// Returns the number of waiting pushes that are due in one ``DeliveryLane`` of a ``SendingChannel``, at most `limit`.
    func waitingAlready(_ lane: DeliveryLane, in channel: Int64, atMost limit: Int) throws -> Int {
        try integer(
            """
            SELECT count(*) FROM (SELECT 1 FROM deliveries WHERE state = 'queued' AND sender IS NULL AND channel = ?
                AND lane = ? AND due <= ? LIMIT ?) AS found
            """, [channel, lane.rawValue, now.millisecondsSince1970, limit])
    }

    // MARK: Held pushes

    /// Holds the push in the row with this number, because its message is paused: senders do not find a held push.
    func hold(_ number: Int64) throws {
        try execute("UPDATE deliveries SET channel = -1 - channel WHERE number = ? AND channel >= 0", [number])
    }

    /// Releases the held pushes of a message to a device, so that senders find them again.
    func letGo(_ message: Int64, on device: String) throws {
        try execute(
            "UPDATE deliveries SET channel = -1 - channel WHERE message = ? AND device = ? AND channel < 0",
            [message, device])
    }

    /// Returns the ids of the devices for which `deliveries` has rows of a message, in the order of the ids.
    ///
    /// - Parameters:
    ///   - message: the message's number.
    ///   - device: the id after which the result begins.
    ///   - limit: the greatest number of ids.
    /// - Returns: the ids.
    /// - Throws: the errors of the database.
    func devices(of message: Int64, after device: String, limit: Int) throws -> [String] {
        try rows(
            """
            SELECT device FROM deliveries WHERE message = ? AND purpose = 'show' AND device > ?
            ORDER BY device LIMIT ?
            """, [message, device, limit]
        ).map { try $0["device"] as String }
    }

    /// Holds a message's waiting pushes to the devices whose ids are from `first` to `last`, or releases its held pushes if
    /// `hold` is false.
    ///
    /// Senders do not find held pushes.
    ///
    /// - Parameters:
    ///   - message: the message's number.
    ///   - hold: whether to hold the pushes.
    ///   - first: the first device's id.
    ///   - last: the last device's id.
    ///   - dueBy: the latest due time of the pushes to release; `nil`, the default, for any.
    /// - Throws: the errors of the database.
    func hold(
        _ message: Int64, _ hold: Bool, onDevicesFrom first: String, through last: String, dueBy: Timestamp? = nil
    ) throws {
        let waiting = hold ? "channel >= 0 AND state = 'queued' AND sender IS NULL" : "channel < 0 AND due <= ?"
        let due = hold ? [] : [dueBy?.millisecondsSince1970 ?? .max] as SQLArguments
        try execute(
            """
            UPDATE deliveries SET channel = -1 - channel
            WHERE message = ? AND device BETWEEN ? AND ? AND purpose IN ('show', 'fallback') AND \(waiting)
            """, [message, first, last] + due)
    }

    /// Returns the earliest due time of a message's held pushes; `nil` if it has none.
    func nextHeld(of message: Int64) throws -> Timestamp? {
        try row(
            "SELECT min(due) AS due FROM deliveries WHERE message = ? AND channel < 0 AND state = 'queued'", [message]
        )?.timestamp("due")
    }

    // MARK: Other devices and senders

    /// Moves a device's pushes to another ``SendingChannel``, because the device now has a token of another APNs environment.
    ///
    /// Pushes that were already sent move too, because a further push of the delivery, such as a fallback (``SecondPush``), takes
    /// its channel from them.
    func moveDeliveries(of device: String, to channel: Int64) throws {
        try execute(
            """
            UPDATE deliveries SET channel = CASE WHEN channel < 0 THEN -1 - ? ELSE ? END
            WHERE device = ? AND channel NOT IN (?, -1 - ?) AND purpose <> 'token-claim'
            """, [channel, channel, device, channel, channel])
    }

    /// Moves pushes from one device to another.
    ///
    /// A push stays with the first device if the other device already has a push of its message and purpose.
    ///
    /// - Parameters:
    ///   - device: the device that has the pushes.
    ///   - other: the device that gets the pushes.
    ///   - condition: an SQL condition on the rows to move. The default is all rows.
    /// - Throws: the errors of the database.
    func move(from device: String, to other: String, where condition: String = "true") throws {
        try moveRows(in: "deliveries", from: device, to: other, by: ["message", "purpose"], where: condition)
    }

    /// Returns the row numbers of at most `limit` pushes that a sender has reserved for itself by a lease.
    func held(by sender: SenderNumber, limit: Int) throws -> [Int64] {
        try rows(
            "SELECT number FROM deliveries WHERE sender = ? ORDER BY number LIMIT ?", [sender.rawValue, limit]
        ).map { try $0["number"] }
    }
}
