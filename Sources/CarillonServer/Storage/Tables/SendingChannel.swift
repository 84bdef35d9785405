import CarillonCore

/// Computes the numbers of sending channels.
///
/// A sending channel is an app in one APNs environment, with the app's pushes that wait for this environment.
enum SendingChannel {
    /// Returns the number of the sending channel for an app and an APNs environment.
    ///
    /// The store keeps this number with each push.
    static func number(_ app: Int64, _ environment: APNsEnvironment) -> Int64 {
        app * 2 + (environment == .production ? 1 : 0)
    }

    /// Returns the number of a channel's app.
    static func app(of channel: Int64) -> Int64 { channel / 2 }

    /// The SQL expression for the number of a device's channel, in queries of the table `devices`.
    static let ofDevice = "devices.app * 2 + CASE WHEN devices.environment = 'production' THEN 1 ELSE 0 END"
}

/// The sending channels (``SendingChannel``) from which a sender may send now.
struct OpenChannels {
    /// The numbers of the channels from which nothing may be sent now, for example because APNs refuses the app's credential.
    var closed: Set<Int64>
    /// The number of the only channel to send from; `nil` to send from all channels that are not closed.
    var only: Int64?

    /// Returns whether a push with this stored channel number may be sent.
    ///
    /// The number is negative if the push is held because its message is paused. Such a push must not be sent.
    func contains(_ channel: Int64) -> Bool {
        channel >= 0 && (only.map { $0 == channel } ?? !closed.contains(channel))
    }

    /// Returns whether pushes of an app may be sent to at least one of the two APNs environments.
    func contain(app: Int64) -> Bool {
        APNsEnvironment.allCases.contains { contains(SendingChannel.number(app, $0)) }
    }
}
