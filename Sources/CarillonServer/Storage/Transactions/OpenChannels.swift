import CarillonCore

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
        APNsEnvironment.allCases.contains { contains(StoreTransaction.channel(app, $0)) }
    }
}
