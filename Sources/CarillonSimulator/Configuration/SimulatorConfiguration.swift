import CarillonCore

/// The configuration of a simulated APNs; everything but clock, seed and topics has a default.
public struct SimulatorConfiguration: Sendable {
    /// The clock of all waits, protocol times and journal entries.
    public var clock: any CarillonClock

    /// The seed of everything random except keys: the same seed gives the same device tokens, ids and faults.
    public var seed: UInt64

    /// The bundle ids of the team's apps.
    public var topics: Set<String>

    /// The apps for which broadcasts are enabled; others get FeatureNotEnabled.
    ///
    /// The default, `nil`, is all ``topics``.
    public var broadcastTopics: Set<String>?

    /// The address to listen on; the default is 127.0.0.1.
    public var host = "127.0.0.1"

    /// The port, 0–65535; the default, 0, takes a free one, which ``APNsSimulator/port`` names.
    public var port = 0

    /// The port of the admin API, plain HTTP/1.1 on ``host``: 0 takes a free one; the default, `nil`, is no admin API.
    public var adminPort: Int?

    /// Further host names that the server's certificate is valid for; the default is none.
    ///
    /// For instance `api.push.apple.com`, for a sender whose host cannot be changed but whose name resolution can.
    public var hostNames: [String] = []

    /// The one of Apple's two hosts to play; the default is the sandbox, whose answers carry `apns-unique-id`.
    public var environment = APNsEnvironment.sandbox

    /// The team's id, ten characters; the default is SIMTEAM001.
    public var teamID = "SIMTEAM001"

    /// The signing key's id, ten characters; the default is SIMKEY0001.
    public var keyID = "SIMKEY0001"

    /// The signing key and the authority of an earlier start; the default, `nil`, makes new ones at start.
    public var credentials: SimulatorCredentials?

    /// Further keys that the account knows: of other teams, for some topics or one environment only; the default is
    /// none.
    public var furtherKeys: [SimulatorKey] = []

    /// Whether requests are refused that break a rule although Apple's servers have been seen to accept them.
    ///
    /// The default is `false`.
    ///
    /// `true` refuses a request without `apns-push-type`
    /// ([required for watchOS 6 and later, recommended everywhere](https://developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns)),
    /// a provider token whose `iat` is a text, and a payload without `aps`. `false` accepts them, and the journal says
    /// so: ``RequestRecord/notes``.
    public var isStrict = false

    /// The most streams that a sender may have open after it has shown a valid token, 1 or more; the default is 1000.
    public var concurrentStreams = 1000

    /// The most streams that a sender may have open before it has shown a valid token, 1 or more; the default is 1.
    ///
    /// Apple: "only one stream until you post a request with a valid authentication token". More is for load generators
    /// that do not wait for SETTINGS.
    public var streamsBeforeProof = 1

    /// The time without a request after which a connection gets GOAWAY with IdleTimeout; the default, `nil`, is never.
    public var idleTimeout: Duration?

    /// The rules of store-and-forward at the start; ``DeviceFleet/rules`` changes them later.
    public var delivery = DeliveryRules()

    /// The faults at the start, by default none; ``APNsSimulator/faults`` changes them later.
    public var faults = FaultPlan()

    /// The length of new device tokens in bytes, 1–256; the default is 32, which no sender may rely on.
    public var deviceTokenByteCount = 32

    /// The number of journal entries that are kept, the newest; the default is 10,000.
    ///
    /// With 0 there is no journal, neither to read nor to follow, as a load test wants it.
    public var journalLimit = 10_000

    /// A configuration with every other value at its default.
    ///
    /// - Parameters:
    ///   - clock: a `ManualClock` makes days pass in a test; a `SystemClock` is for senders in other processes.
    ///   - seed: any number; a test writes it down, so that a failure can be repeated.
    ///   - topics: the bundle ids of the team's apps.
    public init(clock: any CarillonClock, seed: UInt64, topics: Set<String>) {
        self.clock = clock
        self.seed = seed
        self.topics = topics
    }

    func validate() throws(SimulatorError) {
        for port in [port, adminPort ?? 0] where !(0...65535).contains(port) {
            throw SimulatorError(.invalidConfiguration, "a port is \(port): it must lie between 0 and 65535")
        }
        for (name, count) in [("concurrentStreams", concurrentStreams), ("streamsBeforeProof", streamsBeforeProof)]
        where !SimulatorLimits.concurrentStreams.contains(count) {
            let range = SimulatorLimits.concurrentStreams
            throw SimulatorError(
                .invalidConfiguration,
                "\(name) is \(count): it must lie between \(range.lowerBound) and \(range.upperBound)")
        }
        let bytes = SimulatorLimits.deviceTokenBytes
        guard bytes.contains(deviceTokenByteCount) else {
            throw SimulatorError(
                .invalidConfiguration,
                "deviceTokenByteCount is \(deviceTokenByteCount): it must lie between \(bytes.lowerBound) and \(bytes.upperBound)"
            )
        }
    }
}
