import CarillonCore

/// Computes the numbers of channels.
///
/// A channel is the set of waiting pushes of one app in one environment.
enum SendingChannel {
    /// Returns the number of the channel for an app and an environment.
    ///
    /// The store keeps this number with each push.
    static func number(_ app: Int64, _ environment: APNsEnvironment) -> Int64 {
        app * 2 + (environment == .production ? 1 : 0)
    }

    /// Returns the number of a channel's app.
    static func app(of channel: Int64) -> Int64 { channel / 2 }

    /// The SQL expression of a channel's number, for rows of `devices`.
    static let ofDevice = "devices.app * 2 + CASE WHEN devices.environment = 'production' THEN 1 ELSE 0 END"
}

/// The channels (``SendingChannel``) from which a sender may send: the waiting pushes of an app in an environment.
struct OpenChannels {
    /// The numbers of the channels whose sending is stopped.
    var closed: Set<Int64>
    /// The number of the only channel to send from; `nil` to send from all channels that are not closed.
    var only: Int64?

    /// Returns whether pushes in the channel with this number may be sent.
    ///
    /// Held pushes, whose message is paused, have a negative number.
    func contains(_ channel: Int64) -> Bool {
        channel >= 0 && (only.map { $0 == channel } ?? !closed.contains(channel))
    }

    /// Returns whether pushes of at least one of an app's two channels may be sent.
    func contain(app: Int64) -> Bool {
        APNsEnvironment.allCases.contains { contains(SendingChannel.number(app, $0)) }
    }
}
