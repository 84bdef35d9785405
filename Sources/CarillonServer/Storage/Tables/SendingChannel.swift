import CarillonCore

/// The number of a channel, in which pushes of one app and one environment wait.
enum SendingChannel {
    /// The number of a channel; it is stored with each push.
    static func number(_ app: Int64, _ environment: APNsEnvironment) -> Int64 {
        app * 2 + (environment == .production ? 1 : 0)
    }

    /// The number of a channel's app.
    static func app(of channel: Int64) -> Int64 { channel / 2 }

    /// A channel's number in SQL, for rows of `devices`.
    static let ofDevice = "devices.app * 2 + CASE WHEN devices.environment = 'production' THEN 1 ELSE 0 END"
}

/// Which channels a sender may send to.
struct OpenChannels {
    /// The channels whose sending is stopped.
    var closed: Set<Int64>
    /// The only channel that is asked for; `nil` for all.
    var only: Int64?

    /// Whether pushes that wait there may be sent.
    ///
    /// A held push has a channel below 0.
    func contains(_ channel: Int64) -> Bool {
        channel >= 0 && (only.map { $0 == channel } ?? !closed.contains(channel))
    }

    /// Whether one of an app's two channels may be sent to.
    func contain(app: Int64) -> Bool {
        APNsEnvironment.allCases.contains { contains(SendingChannel.number(app, $0)) }
    }
}
