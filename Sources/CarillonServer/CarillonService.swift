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
///     configuration: ServiceConfiguration(apps: [AppSettings(topic: "com.example.chime")], signInSecret: secret),
///     store: try SQLiteStore(path: "carillon.sqlite"), sender: apns, clock: SystemClock(), random: .system,
///     logger: logger)
/// service.addRoutes { router in router.get("/") { _, _ in "Hello" } }
/// try await ServiceGroup(services: [service], gracefulShutdownSignals: [.sigterm], logger: logger).run()
/// ```
package final class CarillonService: Service {
    private let context: ServiceContext
    private let worker: DeliveryWorker?
    private let routes = RouteTable()
    private let router: RouterBox
    private let port = BoundPort()

    /// Makes a service that ``run()`` starts.
    ///
    /// - Parameters:
    ///   - configuration: its settings, which are checked here.
    ///   - store: where everything is kept; it stays the caller's to close.
    ///   - sender: what brings pushes to APNs; needed for the role ``ServiceConfiguration/Role/sender`` only.
    ///   - clock: all the service knows of time.
    ///   - random: keys, ids and the jitter of waits.
    ///   - logger: gets no token, no key and no text of a message.
    /// - Throws: ``ServiceError`` for a configuration that cannot work.
    package init(
        configuration: ServiceConfiguration, store: any Store, sender: (any NotificationSender)?,
        clock: any CarillonClock, random: RandomSource, logger: Logger
    ) throws {
        try configuration.validate()
        if configuration.roles.contains(.sender), sender == nil {
            throw ServiceError(.configuration, "the role sender needs a connection to APNs")
        }
        let context = ServiceContext(
            configuration: configuration, store: store, clock: clock, random: random, logger: logger)
        self.context = context
        worker = sender.flatMap { sender in
            configuration.roles.contains(.sender) ? DeliveryWorker(service: context, sender: sender) : nil
        }
        router = RouterBox(service: context, routes: routes)
    }

    /// What happens to messages, as it happens, in whichever process.
    ///
    /// What another process does to a message that is sent by ranges is kept as bits and has no events: ``changedMessages``
    /// names the message then.
    package var events: EventHub<TimelineEvent> { context.hub }

    /// Messages that were accepted, paused, resumed or cancelled, in whichever process; one may be named twice.
    package var changedMessages: EventHub<MessageReference> { context.messages }

    /// Adds routes beside the service's own; call it before ``run()``.
    ///
    /// Errors they throw become problem documents too.
    package func addRoutes(_ add: (Router<ServiceRequestContext>) -> Void) { router.withRouter(add) }

    /// The port the service listens on, as soon as it does.
    ///
    /// - Throws: ``ServiceError`` when the service has ended before, or has not the role
    ///   ``ServiceConfiguration/Role/api``.
    package func boundPort() async throws -> Int { try await port.value() }

    /// Runs until it is cancelled or shut down gracefully: then no new call is taken, the calls under way are
    /// answered, and what has been handed to APNs is written down.
    package func run() async throws {
        defer {
            events.finish()
            changedMessages.finish()
            port.fail()
        }
        for app in context.configuration.apps { try await put(app) }
        guard !Task.isShuttingDownGracefully else { return }
        // In this order, because a group shuts down from the last to the first: calls end before sending does.
        // Named, because a group logs whatever has no name as Swift describes it, configuration and all.
        typealias Member = ServiceGroupConfiguration.ServiceConfiguration
        // Before anybody can be connected: who watches is told all that happens from then on.
        let start = try? await context.store.news(since: nil, [], limit: 0).mark
        var members = [Member(service: StoreWatch(service: context, since: start), serviceName: "watch")]
        if let worker {
            members.append(Member(service: worker, serviceName: "sender"))
            members.append(Member(service: RetentionPurger(service: context), serviceName: "retention"))
            members.append(
                Member(
                    service: CredentialWatch(service: context, sender: worker.sender), serviceName: "credentials"))
        }
        if context.configuration.roles.contains(.api) {
            members.append(Member(service: application(), serviceName: "api"))
        }
        try await ServiceGroup(
            configuration: ServiceGroupConfiguration(services: members, logger: context.logger)
        ).run()
    }

    /// Makes an app, or changes one, and waits for as long as another process holds the database or the disk is full.
    private func put(_ app: AppSettings) async throws {
        while !Task.isShuttingDownGracefully {
            do {
                _ = try await context.store.put(app, at: context.clock.now)
                return
            } catch let error as ServiceError where error.code == .busy || error.code == .full {
                context.logger.warning("waiting for the database", metadata: ["reason": "\(error)"])
                if error.code == .full { try await context.clock.sleep(for: ServiceLimits.storeFailureWait) }
            }
        }
    }

    private func application() -> some Service {
        let responder = router.withRouter { router in
            routes.fill(router.routes.map { ($0.method, $0.path.description) })
            return router.buildResponder()
        }
        return Application(
            responder: responder,
            configuration: ApplicationConfiguration(
                address: .hostname(context.configuration.host, port: context.configuration.port), serverName: nil),
            onServerRunning: { [port] channel in port.succeed(channel.localAddress?.port) },
            logger: context.logger)
    }
}

/// The router, until the service runs.
///
/// `@unchecked Sendable`: `Router` is not sendable; it is reached only under the lock.
private final class RouterBox: @unchecked Sendable {
    private let lock = Mutex(())
    private let router = Router(context: ServiceRequestContext.self, options: .autoGenerateHeadEndpoints)

    init(service: ServiceContext, routes: RouteTable) {
        // First, because a middleware serves only what is added after it.
        router.add(middleware: ProblemMiddleware(routes: routes))
        ServiceRoutes(service: service).add(to: router)
    }

    func withRouter<Value>(_ body: (Router<ServiceRequestContext>) -> Value) -> Value {
        lock.withLock { _ in body(router) }
    }
}
