/// The limits of a client that its user may set.
///
/// The defaults suit a push service on one machine. ``APNsClient/init(configuration:logger:)`` refuses a value that is out of
/// its range.
public struct APNsLimits: Sendable, Hashable {
    /// The greatest number of connections to APNs at a time, 1 or more.
    ///
    /// The default is 8. The first is opened at the first send. More follow while sends queue, and are closed after they have
    /// been idle.
    public var connections = 8

    /// The greatest number of sends at a time, queued and in flight, 1 or more.
    ///
    /// The default is 100,000. A send suspends its caller until its outcome is known. Beyond the limit, a send fails with
    /// ``APNsError/Code/overloaded``.
    public var suspendedSends = 100_000

    /// The greatest number of streams on one connection, 1 or more, even if APNs allows more.
    ///
    /// The default is 1000, which APNs has been seen to allow.
    public var streamsPerConnection = 1000

    /// The greatest number of times that the client itself sends a notification again, 0 or more.
    ///
    /// The default is 5. It sends again only if APNs certainly did not process the request: after GOAWAY, REFUSED_STREAM or an
    /// expired provider token.
    public var resends = 5

    /// The longest time for which ``APNsClient/shutdown()`` waits for queued and unanswered sends.
    ///
    /// The default is 30 s.
    public var shutdownGrace: Duration = .seconds(30)

    /// The time limit for connecting, including TLS and the first SETTINGS.
    ///
    /// The default is 10 s.
    public var connectTimeout: Duration = .seconds(10)

    /// The pause after the first failed attempt to connect.
    ///
    /// The default is 100 ms. The pause doubles with every further failure, up to ``longestBackoff``.
    public var shortestBackoff: Duration = .milliseconds(100)

    /// The longest pause between attempts to connect.
    ///
    /// The default is 60 s.
    public var longestBackoff: Duration = .seconds(60)

    /// The time without any frame from APNs after which the client sends a PING.
    ///
    /// The default is 10 s. It counts only while the client waits for answers.
    public var silenceBeforePing: Duration = .seconds(10)

    /// The time limit for the answer to a PING.
    ///
    /// After it, the connection counts as lost. The default is 10 s.
    public var pingTimeout: Duration = .seconds(10)

    /// The interval of PINGs on an idle connection.
    ///
    /// The default is 1 h, because Apple asks for at most one an hour.
    public var idlePing: Duration = .seconds(3600)

    /// The time after which an idle connection is closed, unless it is the only one.
    ///
    /// The default is 30 min, because Apple wants connections to stay open for long.
    public var idleBeforeClose: Duration = .seconds(1800)

    /// The duration of congestion after which another connection is opened.
    ///
    /// The default is 500 ms. Congestion means that sends queue, or that answers on a connection with many streams take longer
    /// than this duration.
    public var congestionBeforeGrowth: Duration = .milliseconds(500)

    /// Makes limits with all defaults.
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
