/// The bounds of a client. Each has a default that suits a push service on one machine.
public struct APNsLimits: Sendable, Hashable {
    /// The most connections to APNs at a time, 1 or more. One is opened at the first send; more follow while sends
    /// queue, and are closed again when they have been idle. The default is 8.
    public var connections = 8

    /// The most sends at a time, queued and in flight. A send suspends its caller until it has its outcome, however
    /// long the queue is, so what waits are the callers themselves; beyond this many, a send fails with
    /// ``APNsError/Code/overloaded`` instead. The default is 100,000.
    public var suspendedSends = 100_000

    /// The most streams that one connection uses, even if APNs allows more. The default is 1000, which APNs itself
    /// has been seen to allow.
    public var streamsPerConnection = 1000

    /// How often one notification is sent again by the client itself after APNs certainly did not process it
    /// (GOAWAY, REFUSED_STREAM, an expired provider token). The default is 5.
    public var resends = 5

    /// How long ``APNsClient/shutdown()`` waits for what is queued and in flight. The default is 30 s.
    public var shutdownGrace: Duration = .seconds(30)

    /// How long connecting may take, TLS and the first SETTINGS included. The default is 10 s.
    public var connectTimeout: Duration = .seconds(10)

    /// The pause after the first failed attempt to connect; it doubles up to ``longestBackOff``. The default is 100 ms.
    public var shortestBackOff: Duration = .milliseconds(100)
    /// The default is 60 s.
    public var longestBackOff: Duration = .seconds(60)

    /// When answers are awaited and nothing has come for this long, a PING asks whether the connection still lives.
    /// The default is 10 s.
    public var silenceBeforePing: Duration = .seconds(10)

    /// How long the answer to a PING may take before the connection counts as lost. The default is 10 s.
    public var pingTimeout: Duration = .seconds(10)

    /// How often an idle connection is checked by a PING; Apple asks for at most one an hour. The default is 1 h.
    public var idlePing: Duration = .seconds(3600)

    /// How long a connection beyond the first stays open without work. Apple wants connections kept for long; the
    /// default is 30 min.
    public var idleBeforeClose: Duration = .seconds(1800)

    /// How long sends have to queue, or answers to take longer than this on a connection with many streams, before a
    /// further connection is opened. The default is 500 ms.
    public var congestionBeforeGrowth: Duration = .milliseconds(500)

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
            ("shortestBackOff", shortestBackOff), ("longestBackOff", longestBackOff),
            ("silenceBeforePing", silenceBeforePing), ("pingTimeout", pingTimeout), ("idlePing", idlePing),
            ("idleBeforeClose", idleBeforeClose), ("congestionBeforeGrowth", congestionBeforeGrowth),
        ]
        for (name, duration) in durations where duration <= .zero || duration > .seconds(86_400 * 365) {
            throw .invalidConfiguration(
                "The limit \(name) is \(duration).", advice: "It must be above zero and at most a year.")
        }
    }
}
