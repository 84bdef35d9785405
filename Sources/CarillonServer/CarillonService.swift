import CarillonCore
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import Synchronization

/// The push service: accepts messages by HTTP, keeps them, sends them, and knows what became of them.
///
/// ```swift
/// let service = try CarillonService(
///     configuration: ServiceConfiguration(topics: ["com.example.chime"], signInSecret: secret),
///     store: try SQLiteStore(path: "carillon.sqlite"), sender: apns, clock: SystemClock(), random: .system,
///     logger: logger)
/// service.addRoutes { router in router.get("/") { _, _ in "Hello" } }
/// try await ServiceGroup(services: [service], gracefulShutdownSignals: [.sigterm], logger: logger).run()
/// ```
public final class CarillonService: Service {
    /// What happens to messages, as it happens, in this process.
    package let events: EventHub<TimelineEvent>

    private let configuration: ServiceConfiguration
    private let worker: DeliveryWorker?
    private let housekeeper: RetentionPurger
    private let routes = RouteTable()
    private let router: RouterBox
    private let port = BoundPort()
    private let logger: Logger

    /// - Parameters:
    ///   - sender: what brings pushes to APNs; needed for the role ``ServiceConfiguration/Role/sender`` only.
    ///   - clock: all the service knows of time.
    ///   - random: ids, jitter.
    /// - Throws: ``ServiceError`` for a configuration that cannot work.
    public init(
        configuration: ServiceConfiguration, store: any Store, sender: (any NotificationSender)?,
        clock: any CarillonClock, random: RandomSource, logger: Logger
    ) throws {
        try configuration.validate()
        if configuration.roles.contains(.sender), sender == nil {
            throw ServiceError(.configuration, "the role sender needs a NotificationSender")
        }
        let hub = ServiceLimits.timelineHub()
        let api = API(
            store: store, configuration: configuration, clock: clock, random: random,
            callers: CallerAuthentication(keys: APIKeys(store: store, clock: clock, random: random), store: store),
            signal: WakeSignal(), hub: hub, metrics: ServiceMetrics(), health: ServiceHealth(), logger: logger)
        self.configuration = configuration
        self.logger = logger
        events = hub
        worker = sender.flatMap { sender in
            guard configuration.roles.contains(.sender) else { return nil }
            return DeliveryWorker(
                store: store, sender: sender, configuration: configuration, clock: clock, random: random,
                signal: api.signal, hub: hub, health: api.health, metrics: api.metrics, logger: logger)
        }
        housekeeper = RetentionPurger(
            store: store, retention: configuration.retention, clock: clock, logger: logger)
        router = RouterBox(api: api, routes: routes)
    }

    /// Adds routes beside the service's own; call it before ``run()``. Errors they throw become problem documents too.
    public func addRoutes(_ add: (Router<BasicRequestContext>) -> Void) { router.withRouter(add) }

    /// The port the service listens on, as soon as it does.
    ///
    /// - Throws: ``ServiceError`` when the service has ended before, or has not the role
    ///   ``ServiceConfiguration/Role/api``.
    public func boundPort() async throws -> Int { try await port.value() }

    /// Runs until it is cancelled or shut down gracefully: then no new call is taken, the calls under way are
    /// answered, and what has been handed to APNs is written down.
    public func run() async throws {
        defer {
            events.finish()
            port.fail()
        }
        // In this order, because a group shuts down from the last to the first: calls end before sending does.
        // Named, because a group logs whatever has no name as Swift describes it, configuration and all.
        typealias Member = ServiceGroupConfiguration.ServiceConfiguration
        var members: [Member] = []
        if let worker {
            members.append(Member(service: worker, serviceName: "sender"))
            members.append(Member(service: housekeeper, serviceName: "housekeeper"))
        }
        if configuration.roles.contains(.api) {
            members.append(Member(service: application(), serviceName: "api"))
        }
        try await ServiceGroup(configuration: ServiceGroupConfiguration(services: members, logger: logger)).run()
    }

    private func application() -> some Service {
        let responder = router.withRouter { router in
            routes.fill(router.routes.map { ($0.method, $0.path.description) })
            return router.buildResponder()
        }
        return Application(
            responder: responder,
            configuration: ApplicationConfiguration(
                address: .hostname(configuration.host, port: configuration.port), serverName: nil),
            onServerRunning: { [port] channel in port.succeed(channel.localAddress?.port) },
            logger: logger)
    }
}

/// The router, until the service runs.
///
/// `@unchecked Sendable`: `Router` is not sendable; it is reached only under the lock.
private final class RouterBox: @unchecked Sendable {
    private let lock = Mutex(())
    private let router = Router()

    init(api: API, routes: RouteTable) {
        // First, because a middleware serves only what is added after it.
        router.add(middleware: ProblemMiddleware(routes: routes))
        api.addRoutes(to: router)
        ConsolePage().addRoutes(to: router)
    }

    func withRouter<Value>(_ body: (Router<BasicRequestContext>) -> Value) -> Value {
        lock.withLock { _ in body(router) }
    }
}
