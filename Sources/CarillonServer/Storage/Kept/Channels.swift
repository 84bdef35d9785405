import CarillonAPNs
import CarillonCore

/// Channels: what waits is kept apart by app and environment, so that what is stopped costs the others nothing.
struct Channels: SessionPart {
    let session: StoreSession
    private let deliveries: DeliveriesTable

    init(_ session: StoreSession) {
        self.session = session
        deliveries = DeliveriesTable(session)
    }

    /// The number of a channel; it is stored with each push.
    static func channel(_ app: Int64, _ environment: APNsEnvironment) -> Int64 {
        app * 2 + (environment == .production ? 1 : 0)
    }

    /// The number of a channel's app.
    static func app(ofChannel channel: Int64) -> Int64 { channel / 2 }

    /// The same in SQL, for rows of `devices`.
    static let channelOfDevice = "devices.app * 2 + CASE WHEN devices.environment = 'production' THEN 1 ELSE 0 END"

    /// The channels in which something waits and that may be sent to.
    func waitingChannels(except closed: Set<AppID>, only: AppID? = nil) throws -> [Int64] {
        let all = try deliveries.waitingChannels()
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
}

/// Which channels a sender may send to.
struct OpenChannels {
    /// Those whose sending is stopped.
    var closed: Set<Int64>
    /// The only one that is asked for; `nil` for all.
    var only: Int64?

    /// Whether pushes that wait there may be sent.
    ///
    /// What is held has a channel below 0.
    func contains(_ channel: Int64) -> Bool {
        channel >= 0 && (only.map { $0 == channel } ?? !closed.contains(channel))
    }

    /// Whether one of an app's two channels may be sent to.
    func contain(app: Int64) -> Bool {
        APNsEnvironment.allCases.contains { contains(Channels.channel(app, $0)) }
    }
}
