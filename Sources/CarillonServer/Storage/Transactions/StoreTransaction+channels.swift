import CarillonCore

/// Channels: what waits is kept apart by app and environment, so that what is stopped costs the others nothing.
extension StoreTransaction {
    /// The number of a channel; it is stored with each push.
    static func channel(_ app: Int64, _ environment: APNsEnvironment) -> Int64 {
        app * 2 + (environment == .production ? 1 : 0)
    }

    /// The number of a channel's app.
    static func app(ofChannel channel: Int64) -> Int64 { channel / 2 }

    /// The same in SQL, for rows of `devices`.
    static let channelOfDevice = "devices.app * 2 + CASE WHEN devices.environment = 'production' THEN 1 ELSE 0 END"

    /// The channels in which something waits and that may be sent to.
    ///
    /// One step of the index for each channel, however much waits in it.
    func waitingChannels(except closed: Set<AppID>, only: AppID? = nil) throws -> [Int64] {
        let waiting = "FROM deliveries WHERE state = 'queued' AND sender IS NULL AND channel >= 0"
        let all = try rows(
            """
            WITH RECURSIVE waiting (channel) AS (
                SELECT min(channel) \(waiting)
                UNION ALL
                SELECT (SELECT min(channel) \(waiting) AND channel > waiting.channel) FROM waiting
                    WHERE waiting.channel IS NOT NULL)
            SELECT channel FROM waiting WHERE channel IS NOT NULL
            """
        ).map { $0["channel"] as Int64 }
        guard !closed.isEmpty || only != nil else { return all }
        let closedChannels = try Set(closed.compactMap(channel(of:)))
        let onlyChannel = try only.flatMap(channel(of:))
        return all.filter { (only == nil || $0 == onlyChannel) && ($0 == onlyChannel || !closedChannels.contains($0)) }
    }

    /// Which channels may be sent to, whether or not something waits in them.
    func openChannels(except closed: Set<AppID>, only: AppID? = nil) throws -> OpenChannels {
        let onlyChannel = try only.map { try channel(of: $0) ?? -1 }
        return OpenChannels(closed: Set(try closed.compactMap(channel(of:))), only: onlyChannel)
    }

    func channel(of app: AppID) throws -> Int64? {
        try row("SELECT number FROM apps WHERE topic = ?", [app.topic]).map {
            Self.channel($0["number"], app.environment)
        }
    }

    /// A device's token is one of another environment now: what waits for it goes there, and what may yet follow on what
    /// has been sent.
    func moveDeliveries(of device: String, to channel: Int64) throws {
        try execute(
            """
            UPDATE deliveries SET channel = CASE WHEN channel < 0 THEN -1 - ? ELSE ? END
            WHERE device = ? AND channel NOT IN (?, -1 - ?) AND purpose <> 'token-claim'
            """, [channel, channel, device, channel, channel])
    }
}
