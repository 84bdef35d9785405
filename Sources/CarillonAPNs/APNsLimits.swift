/// The limits of a client that its user may set; each has a default that suits a push service on one machine.
///
/// A value out of its range is refused by ``APNsClient/init(configuration:logger:)``.
public struct APNsLimits: Sendable, Hashable {
    /// The most connections to APNs at a time, 1 or more; the default is 8.
    ///
    /// One is opened at the first send; more follow while sends queue, and are closed again when they have been idle.
    public var connections = 8

    /// The most sends at a time, queued and in flight, 1 or more; the default is 100,000.
    ///
    /// A send suspends its caller until it has its outcome, however long the queue is. When this many callers are suspended, a
    /// further send fails with ``APNsError/Code/overloaded`` instead.
    public var suspendedSends = 100_000

    /// The most streams that one connection uses, 1 or more, even if APNs allows more; the default is 1000.
    ///
    /// APNs itself has been seen to allow 1000.
    public var streamsPerConnection = 1000

    /// The most times that the client by itself sends a notification again, 0 or more; the default is 5.
    ///
    /// It does so only after APNs certainly did not process it: GOAWAY, REFUSED_STREAM, an expired provider token.
    public var resends = 5

    /// The longest time that ``APNsClient/shutdown()`` waits for queued and unanswered sends; the default is 30 s.
    public var shutdownGrace: Duration = .seconds(30)

    /// The time limit for connecting, TLS and the first SETTINGS included; the default is 10 s.
    public var connectTimeout: Duration = .seconds(10)

    /// The pause after the first failed attempt to connect; the default is 100 ms.
    ///
    /// It doubles with every further failure, up to ``longestBackoff``.
    public var shortestBackoff: Duration = .milliseconds(100)

    /// The longest pause between attempts to connect; the default is 60 s.
    public var longestBackoff: Duration = .seconds(60)

    /// The time without a sign of life from APNs after which the client sends a PING; the default is 10 s.
    ///
    /// It counts only while answers are awaited.
    public var silenceBeforePing: Duration = .seconds(10)

    /// The time limit for the answer to a PING, after which the connection counts as lost; the default is 10 s.
    public var pingTimeout: Duration = .seconds(10)

    /// The interval of PINGs on an idle connection; the default is 1 h, since Apple asks for at most one an hour.
    public var idlePing: Duration = .seconds(3600)

    /// The time after which an idle connection is closed, unless it is the only one; the default is 30 min.
    ///
    /// Apple wants connections to be kept open for long.
    public var idleBeforeClose: Duration = .seconds(1800)

    /// The duration of congestion after which a further connection is opened; the default is 500 ms.
    ///
    /// Congestion means that sends queue, or that answers take longer than this on a connection with many
    /// streams.
    public var congestionBeforeGrowth: Duration = .milliseconds(500)

    /// All limits at their defaults.
    public init() {}
}

extension APNsLimits {
    func check() throws(APNsError) {
        let counts = [
            ("connections", connections), ("suspendedSends", suspendedSends),
            ("streamsPerConnection", streamsPerConnection),
        ]
        for (name, count) in counts where count < 1 {
            throw .invalidConfiguration("The limit \(name) is \(count).", advice: "It must be at least 1.")
        }
        guard resends >= 0 else {
            throw .invalidConfiguration("The limit resends is \(resends).", advice: "It must not be negative.")
        }
        let durations = [
            ("shutdownGrace", shutdownGrace), ("connectTimeout", connectTimeout),
            ("shortestBackoff", shortestBackoff), ("longestBackoff", longestBackoff),
            ("silenceBeforePing", silenceBeforePing), ("pingTimeout", pingTimeout), ("idlePing", idlePing),
            ("idleBeforeClose", idleBeforeClose), ("congestionBeforeGrowth", congestionBeforeGrowth),
        ]
        for (name, duration) in durations where duration <= .zero || duration > ClientLimits.longestDeadline {
            throw .invalidConfiguration(
                "The limit \(name) is \(duration).", advice: "It must be above zero and at most a year.")
        }
    }
}
