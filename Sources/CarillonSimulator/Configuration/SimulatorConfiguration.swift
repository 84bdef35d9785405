import CarillonCore

/// What a simulated APNs is like. Everything but clock, seed and topics has a default.
public struct SimulatorConfiguration: Sendable {
    /// All waiting, every protocol time and every journal entry is by this clock.
    public var clock: any CarillonClock

    /// The source of all chance but that of keys: the same seed gives the same device tokens, ids and faults.
    public var seed: UInt64

    /// The bundle ids of the team's apps.
    public var topics: Set<String>

    /// The apps for which broadcasts are switched on; others get FeatureNotEnabled. The default, `nil`, is all
    /// ``topics``.
    public var broadcastTopics: Set<String>?

    /// The address to listen on. The default is 127.0.0.1.
    public var host = "127.0.0.1"

    /// The port, 0–65535. The default, 0, takes a free one; ``APNsSimulator/port`` says which.
    public var port = 0

    /// The port of the admin API, plain HTTP/1.1 on ``host``: 0 takes a free one. The default, `nil`, is none.
    public var adminPort: Int?

    /// Further names that the server's certificate is good for, such as `api.push.apple.com` for a sender whose host
    /// cannot be changed but whose name resolution can. The default is none.
    public var hostNames: [String] = []

    /// Which of Apple's two hosts this is. The default is the sandbox, whose answers carry `apns-unique-id`.
    public var environment = APNsEnvironment.sandbox

    /// The 10 characters of the team's id. The default is SIMTEAM001.
    public var teamID = "SIMTEAM001"

    /// The 10 characters of the signing key's id. The default is SIMKEY0001.
    public var keyID = "SIMKEY0001"

    /// The signing key (.p8, PEM) and the authority, where they are to outlive the process. The default, `nil`, makes new
    /// ones at start.
    public var credentials: SimulatorCredentials?

    /// Further keys that the account knows: of other teams, for some topics or one environment only. The default is none.
    public var furtherKeys: [SimulatorKey] = []

    /// Whether a request without `apns-push-type` is refused (InvalidPushType). Apple demands the header since watchOS 6
    /// and recommends it everywhere. The default is `true`.
    public var requiresPushType = true

    /// How many streams a sender may have open once it has shown a valid token. The default is 1000.
    public var concurrentStreams = 1000

    /// How many streams a sender may have open until then. Apple: "only one stream until you post a request with a valid
    /// authentication token". The default is 1; more is for load generators that do not wait for SETTINGS.
    public var streamsBeforeProof = 1

    /// After how long without a request a connection gets GOAWAY with IdleTimeout. The default is `nil`, never.
    public var idleTimeout: Duration?

    /// The knobs of store-and-forward.
    public var delivery = DeliveryRules()

    /// What goes wrong from the start; ``APNsSimulator/faults`` changes it later. The default is nothing.
    public var faults = FaultPlan()

    /// The length of new device tokens in bytes, 1–256. The default is 32; never assume it.
    public var deviceTokenByteCount = 32

    /// How many journal entries are kept; the oldest go first. The default is 10,000. With 0 there is no journal, neither
    /// to read nor to listen to, which is what a load test wants.
    public var journalLimit = 10_000

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
        where count < 1 {
            throw SimulatorError(.invalidConfiguration, "\(name) is \(count): it must be 1 or more")
        }
        guard (1...DeviceToken.byteLimit).contains(deviceTokenByteCount) else {
            throw SimulatorError(
                .invalidConfiguration,
                "deviceTokenByteCount is \(deviceTokenByteCount): it must lie between 1 and \(DeviceToken.byteLimit)")
        }
    }
}

/// What a simulator needs to be the same one again after a restart. All of it is PEM.
public struct SimulatorCredentials: Sendable, Hashable {
    /// The private key that senders sign with: the contents of `AuthKey_<key id>.p8`.
    public var signingKeyPEM: String
    /// The authority that senders trust.
    public var caCertificatePEM: String
    public var caPrivateKeyPEM: String

    public init(signingKeyPEM: String, caCertificatePEM: String, caPrivateKeyPEM: String) {
        self.signingKeyPEM = signingKeyPEM
        self.caCertificatePEM = caCertificatePEM
        self.caPrivateKeyPEM = caPrivateKeyPEM
    }
}
