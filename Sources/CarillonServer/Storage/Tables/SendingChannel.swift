import CarillonCore

/// Computes the numbers that identify sending channels.
///
/// A sending channel is an app in one APNs environment. Each push waits in the channel of its app and its device's environment.
enum SendingChannel {
    /// Returns the number that identifies the sending channel of an app in an APNs environment.
    ///
    /// The store keeps this number with each push.
    static func number(_ app: Int64, _ environment: APNsEnvironment) -> Int64 {
        app * 2 + (environment == .production ? 1 : 0)
    }

    /// Returns the number of the app to which a sending channel belongs.
    static func app(of channel: Int64) -> Int64 { channel / 2 }

    /// The SQL expression that computes ``number(_:_:)`` for a device's app and APNs environment, in queries of the table
    /// `devices`.
    static let ofDevice = ofDevice(in: "environment")

    /// Returns the SQL expression that computes ``number(_:_:)`` for a device's app and the APNs environment in a column of
    /// `devices`.
    static func ofDevice(in column: String) -> String {
        "devices.app * 2 + CASE WHEN devices.\(column) = 'production' THEN 1 ELSE 0 END"
    }
}

/// The sending channels (``SendingChannel``) whose pushes a sender may send now.
struct OpenChannels {
    /// The numbers of the sending channels (``SendingChannel``) whose pushes must not be sent now.
    ///
    /// For example, APNs may have refused the app's credential.
    var closed: Set<Int64>
    /// The number of the only sending channel (``SendingChannel``) whose pushes may be sent; `nil` for all channels that are not
    /// closed.
    var only: Int64?

    /// Returns whether a push may be sent now.
    ///
    /// `channel` is the stored channel number of the push. It is negative while the push's message is paused, so that the push is
    /// not sent.
    func contains(_ channel: Int64) -> Bool {
        channel >= 0 && (only.map { $0 == channel } ?? !closed.contains(channel))
    }

    /// Returns whether pushes of an app may be sent to at least one of the two APNs environments.
    func contain(app: Int64) -> Bool {
        APNsEnvironment.allCases.contains { contains(SendingChannel.number(app, $0)) }
    }
}
