import CarillonCore
import Foundation
import Logging
import Synchronization

/// The parts of a running service that its routes and workers share: settings, clock, store calls and signals.
struct ServiceContext: Sendable {
    let configuration: ServiceConfiguration
    let store: SharedCalls
    let clock: any CarillonClock
    let random: RandomSource
    let logger: Logger
    /// The log lines that an outage would repeat.
    let repeated: RepeatedLines
    /// The signal that wakes the delivery worker of this process.
    let signal = WakeSignal()
    let metrics = ServiceMetrics()
    let publisher: ChangePublisher
    let health = ServiceHealth()
    /// The apps whose credential has changed since the delivery worker last took them from this set.
    let changedCredentials = SharedValue<Set<AppID>>([])
    /// The number under which this process is registered as a sender; `nil` while it is not.
    let sendingAs = SharedValue<SenderNumber?>(nil)
    let storeProbe: StoreProbe<StoreStanding>
    /// The monotonic time at which a health check last wrote to the store; `nil` before the first time and after a failure.
    let writeProof = SharedValue<Duration?>(nil)
    /// The queues of the store, for metrics.
    let queues: QueueGauge
    /// The cache of API keys.
    let apiKeys = SharedValue(APIKeyCache())
    /// The limiter of new installations.
    let registrations: SharedValue<RegistrationLimiter>
    /// The limit on log lines about refused installations.
    let refusedRegistrations = LogReminder()
    /// Whether the log has said that the proxy at the Unix socket names no addresses of clients.
    let hasToldOfUnnamedClients = SharedValue(false)
    /// The limit on log lines about new installations whose token APNs does not know.
    let unknownTokens = LogReminder()
    /// The limit on the calls of each caller.
    let calls: SharedValue<CallLimiter>
    /// The limit on the memory for the bodies of requests in progress.
    let bodies: BodyMemory
    /// The trusted proxies, whose `X-Forwarded-For` header the service believes.
    let proxies: SharedValue<TrustedProxies>
    /// The open connections.
    let connections: OpenConnections
    /// The number of each app's pushes that wait to be sent.
    let backlog: SharedValue<BacklogGauge>

    init(
        configuration: ServiceConfiguration, store: Store, clock: any CarillonClock, random: RandomSource,
        logger: Logger
    ) {
        self.configuration = configuration
        self.store = SharedCalls(store)
        publisher = ChangePublisher(signal: signal, metrics: metrics, news: store.news)
        self.clock = clock
        self.random = random
        self.logger = logger
        repeated = RepeatedLines(clock: clock, logger: logger)
        bodies = BodyMemory(limit: configuration.bodiesInMemory)
        registrations = SharedValue(RegistrationLimiter(configuration.registrationLimits))
        storeProbe = StoreProbe(clock: clock)
        queues = QueueGauge(clock: clock)
        calls = SharedValue(CallLimiter(configuration.callLimits))
        proxies = SharedValue(configuration.proxies)
        connections = OpenConnections(
            configuration.connectionLimits.withinDescriptors(), proxies: configuration.proxies, clock: clock,
            logger: logger)
        backlog = SharedValue(BacklogGauge(limit: configuration.backlogLimit))
    }

    /// Returns a store on the database of `store` whose changes this service publishes; the service's routes and workers use it.
    func publishing(_ store: Store) -> Store { store.publishing(publisher.publish) }

    /// Takes over the limits and trusted proxies of a changed configuration.
    ///
    /// Callers may use their full quotas again after a change of their limit.
    ///
    /// - Parameters:
    ///   - changed: the new configuration. Its other settings are ignored.
    ///   - former: the configuration whose limits hold now.
    func adjust(to changed: ServiceConfiguration, from former: ServiceConfiguration) {
        if changed.registrationLimits != former.registrationLimits {
            registrations.withLock { $0 = RegistrationLimiter(changed.registrationLimits) }
        }
        if changed.callLimits != former.callLimits { calls.withLock { $0 = CallLimiter(changed.callLimits) } }
        proxies.withLock { $0 = changed.proxies }
        connections.adjust(changed.connectionLimits.withinDescriptors(), proxies: changed.proxies)
        backlog.withLock { $0.limit = changed.backlogLimit }
    }

    /// Returns a random nonce for a push to a token.
    ///
    /// An installation that sends the nonce back has received the push, and so holds the token.
    func nonce() -> String { Data(random.bytes(ServiceLimits.nonceBytes)).hexadecimal }

    /// Makes an id for a message for which the backend has chosen none: 12 hexadecimal digits of the time, then 20 random digits.
    ///
    /// Nobody can guess the id. Ids that are made shortly after each other are adjacent in the database's indexes, like UUIDs of
    /// version 7 ([RFC 9562 §6.11](https://www.rfc-editor.org/rfc/rfc9562#section-6.11)).
    func drawnMessageID(at now: Timestamp) -> String {
        let moment = withUnsafeBytes(of: UInt64(clamping: now.millisecondsSince1970).bigEndian) { Data($0.suffix(6)) }
        return (moment + random.bytes(ServiceLimits.drawnMessageIDBytes)).hexadecimal
    }
}
