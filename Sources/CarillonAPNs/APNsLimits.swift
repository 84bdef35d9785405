/// The configurable limits of an ``APNsClient``.
///
/// The defaults suit a push service on one machine. ``APNsClient/init(configuration:logger:)`` throws an error if a value is
/// out of its range.
public struct APNsLimits: Sendable, Hashable {
    /// The greatest number of connections to APNs at a time, 1 or more.
    ///
    /// The default is 8. The client opens the first connection for the first request, and further connections under congestion
    /// (see ``congestionBeforeGrowth``). It closes idle connections after ``idleBeforeClose``.
    public var connections = 8

    /// The greatest number of requests at a time, queued and in flight, 1 or more.
    ///
    /// The default is 100,000. A call of `send` suspends its caller until the outcome is known. Beyond the limit, a request
    /// fails with ``APNsError/Code/overloaded``.
    public var suspendedSends = 100_000

    /// The greatest number of streams on one connection, 1 or more, even if APNs allows more.
    ///
    /// The default is 1000, a number that APNs has been seen to allow. Each request needs a stream until it is answered.
    public var streamsPerConnection = 1000

    /// The greatest number of times that the client itself sends a notification again, 0 or more.
    ///
    /// The default is 5. After that, the notification fails. The client sends again only if APNs certainly did not process the
    /// request: after GOAWAY, after REFUSED_STREAM, or after a rejection that concerns the provider token.
    public var resends = 5

    /// The longest time for which ``APNsClient/shutdown()`` waits for queued and unanswered requests.
    ///
    /// The default is 30 s.
    public var shutdownGrace: Duration = .seconds(30)

    /// The time limit for connecting, including TLS and the server's first SETTINGS frame.
    ///
    /// The default is 10 s. After this time, the attempt to connect counts as failed.
    public var connectTimeout: Duration = .seconds(10)

    /// The pause after the first failed attempt to connect.
    ///
    /// The default is 100 ms. The pause doubles with every further failure, up to ``longestBackoff``.
    public var shortestBackoff: Duration = .milliseconds(100)

    /// The longest pause between attempts to connect.
    ///
    /// The default is 60 s.
    public var longestBackoff: Duration = .seconds(60)

    /// The greatest number of attempts to connect in any minute, 2 or more, whatever the reason for connecting.
    ///
    /// The default is 60: half of them may follow each other at once, and the others come evenly over the minute. Apple treats
    /// connections that come and go quickly as an attack.
    public var connectsPerMinute = 60

    /// The time without any frame from APNs after which the client sends a PING.
    ///
    /// The default is 10 s. The client measures this time only while it waits for answers.
    public var silenceBeforePing: Duration = .seconds(10)

    /// The time limit for the answer to a PING.
    ///
    /// The default is 10 s. Without an answer in this time, the client treats the connection as lost.
    public var pingTimeout: Duration = .seconds(10)

    /// The interval between PINGs on an idle connection.
    ///
    /// The default is 1 h, because Apple asks for at most one PING an hour.
    public var idlePing: Duration = .seconds(3600)

    /// The time after which the client closes an idle connection, unless it is the only connection.
    ///
    /// The default is 30 min, because Apple wants connections to stay open for a long time.
    public var idleBeforeClose: Duration = .seconds(1800)

    /// The duration of congestion after which the client opens another connection.
    ///
    /// The default is 500 ms. Congestion means that requests queue, or that answers on a connection with many streams take
    /// longer than this duration.
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
        guard connectsPerMinute >= 2 else {
            throw .invalidConfiguration(
                "The limit connectsPerMinute is \(connectsPerMinute).", advice: "It must be at least 2.")
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
