import CarillonCore

/// The configuration of a simulated APNs.
///
/// Everything but the clock, the seed and the topics has a default.
public struct SimulatorConfiguration: Sendable {
    /// The clock for all waits, protocol times and journal entries.
    public var clock: any CarillonClock

    /// The seed of all random values except keys.
    ///
    /// Equal seeds give equal device tokens, ids and faults.
    public var seed: UInt64

    /// The bundle ids of the team's apps.
    public var topics: Set<String>

    /// The apps for which broadcasts are enabled.
    ///
    /// Requests about channels and broadcasts of other apps are rejected with FeatureNotEnabled. The default, `nil`, means all
    /// ``topics``.
    public var broadcastTopics: Set<String>?

    /// The address on which the simulator listens.
    ///
    /// The default is 127.0.0.1.
    public var host = "127.0.0.1"

    /// The port to listen on, 0–65535.
    ///
    /// The default, 0, takes a free port, which ``APNsSimulator/port`` returns.
    public var port = 0

    /// Further ports to listen on beside ``port``, at most 16; each 0 takes a free port.
    ///
    /// The default is none. Apple's servers listen on 443 and on 2197, for networks that let APNs through and block other
    /// HTTPS ([Sending notification requests to
    /// APNs](https://developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns)).
    public var furtherPorts: [Int] = []

    /// The port of the admin API, plain HTTP/1.1 on ``host``; 0 takes a free port.
    ///
    /// The default, `nil`, means no admin API.
    public var adminPort: Int?

    /// Further host names and IP addresses for the server's certificate.
    ///
    /// The default is none. Add `api.push.apple.com`, for example, if a sender always connects to that name and name
    /// resolution leads it to the simulator.
    public var hostNames: [String] = []

    /// Whether senders must use TLS 1.2, as behind a middlebox that knows no later version.
    ///
    /// The default is `false`: TLS 1.2 or later, as Apple's servers take.
    public var isTLS12Only = false

    /// The APNs environment to simulate.
    ///
    /// The default is the sandbox, whose answers contain `apns-unique-id`.
    public var environment = APNsEnvironment.sandbox

    /// The team's id, ten characters.
    ///
    /// The default is SIMTEAM001.
    public var teamID = "SIMTEAM001"

    /// The signing key's id, ten characters.
    ///
    /// The default is SIMKEY0001.
    public var keyID = "SIMKEY0001"

    /// The signing key and the certificate authority of an earlier run, so that senders need no new ones.
    ///
    /// The default, `nil`, makes new ones.
    public var credentials: SimulatorCredentials?

    /// Further signing keys that the simulator accepts: keys of other teams, or keys for certain topics or one environment.
    ///
    /// The default is none.
    public var furtherKeys: [SimulatorKey] = []

    /// Whether to reject requests that break a documented rule which Apple's servers have been seen not to enforce.
    ///
    /// The default is `false`. With `true`, the simulator rejects three kinds of requests: without `apns-push-type` ([required
    /// for watchOS 6 and later, recommended
    /// everywhere](https://developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns)), with a
    /// provider token whose `iat` is a text, and with a payload without `aps`. With `false`, it accepts such requests, and
    /// ``RequestRecord/notes`` in the journal name the broken rule.
    public var isStrict = false

    /// The doors that are open for senders which Apple's servers would turn away.
    ///
    /// The default is none.
    public var doors: Set<SimulatorDoor> = []

    /// The greatest number of open streams on a connection after the sender has shown a valid provider token.
    ///
    /// The default is 1000; the smallest allowed value is 1. If the sender has a trusted client certificate, this limit applies
    /// from the start.
    public var concurrentStreams = 1000

    /// The greatest number of open streams on a connection before the sender has shown a valid provider token.
    ///
    /// The default is 1; allowed are 1 to 1000. Apple allows "only one stream until you post a request with a valid
    /// authentication token". A greater number is for load generators that do not wait for SETTINGS.
    public var streamsBeforeProof = 1

    /// The time without a request after which a connection gets GOAWAY with IdleTimeout.
    ///
    /// The default, `nil`, means never.
    public var idleTimeout: Duration?

    /// The initial rules of store-and-forward.
    ///
    /// ``DeviceFleet/rules`` changes them later.
    public var delivery = DeliveryRules()

    /// The initial faults, by default none.
    ///
    /// ``APNsSimulator/faults`` changes them later.
    public var faults = FaultPlan()

    /// The length of new device tokens in bytes, 4–256.
    ///
    /// The default is 32. Senders must not rely on any length.
    public var deviceTokenByteCount = 32

    /// The number of journal entries to keep.
    ///
    /// Newer entries displace older ones. The default is 10,000. With 0, the simulator keeps no journal, which suits a load test.
    public var journalLimit = 10_000

    /// Makes a configuration with the default for everything that is not a parameter.
    ///
    /// - Parameters:
    ///   - clock: the clock: a `ManualClock` makes days pass in a test; a `SystemClock` is for senders in other processes.
    ///   - seed: any number. A test should print the seed, so that a failure can be repeated.
    ///   - topics: the bundle ids of the team's apps.
    public init(clock: any CarillonClock, seed: UInt64, topics: Set<String>) {
        self.clock = clock
        self.seed = seed
        self.topics = topics
    }

    func validate() throws(SimulatorError) {
        guard furtherPorts.count <= SimulatorLimits.furtherPortLimit else {
            throw SimulatorError(
                .invalidConfiguration,
                "furtherPorts has \(furtherPorts.count) ports: at most \(SimulatorLimits.furtherPortLimit) are allowed")
        }
        for port in [port, adminPort ?? 0] + furtherPorts where !(0...65535).contains(port) {
            throw SimulatorError(.invalidConfiguration, "a port is \(port): it must lie between 0 and 65535")
        }
        let counts = [
            ("concurrentStreams", concurrentStreams, SimulatorLimits.concurrentStreams),
            ("streamsBeforeProof", streamsBeforeProof, SimulatorLimits.streamsBeforeProof),
        ]
        for (name, count, range) in counts where !range.contains(count) {
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
