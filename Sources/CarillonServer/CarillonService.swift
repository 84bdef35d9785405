import CarillonCore
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle
import Synchronization

/// The push service, which accepts messages by HTTP, stores them, sends them, and reports their outcomes.
///
/// ```swift
/// let service = try CarillonService(
///     configuration: ServiceConfiguration(apps: [AppSettings(topic: "com.example.chime")], signInSecret: secret),
///     store: Store(try SQLiteEngine(path: "carillon.sqlite")), sender: apns, clock: SystemClock(), random: .system,
///     logger: logger)
/// service.addRoutes { router in router.get("/") { _, _ in "Hello" } }
/// try await ServiceGroup(services: [service], gracefulShutdownSignals: [.sigterm], logger: logger).run()
/// ```
package final class CarillonService: Service {
    private let context: ServiceContext
    private let store: Store
    private let worker: DeliveryWorker?
    private let router: RouterBox
    private let port = BoundPort()
    private let socketReady = BoundPort()
    /// The router for the routes that backends and operators call, if ``ServiceConfiguration/operators`` sets a separate address
    /// for these routes; otherwise `nil`.
    private let operatorRouter: RouterBox?
    private let operatorPorts = BoundPort()
    private let started = BoundPort()

    /// Creates a service that ``run()`` starts.
    ///
    /// - Parameters:
    ///   - configuration: the settings, which this initializer checks.
    ///   - store: the service's state. The service does not close the store's database engine; the caller must.
    ///   - sender: the connection to APNs; needed only for the role ``ServiceConfiguration/Role/sender``.
    ///   - clock: the only source of time.
    ///   - random: the source of random keys and ids, and of the random part of waits.
    ///   - logger: the logger; the service logs no token, no key and no text of a message.
    /// - Throws: ``ServiceError`` for a configuration that cannot work.
    package init(
        configuration: ServiceConfiguration, store: Store, sender: (any NotificationSender)?,
        clock: any CarillonClock, random: RandomSource, logger: Logger
    ) throws {
        try configuration.validate()
        if configuration.roles.contains(.sender), sender == nil {
            throw ServiceError(.configuration, "the role sender needs a connection to APNs")
        }
        let context = ServiceContext(
            configuration: configuration, store: store, clock: clock, random: random, logger: logger)
        let store = context.publishing(store)
        self.context = context
        self.store = store
        store.report(to: context.metrics.registry)
        worker = sender.flatMap { sender in
            configuration.roles.contains(.sender)
                ? DeliveryWorker(service: context, store: store.sending, sender: sender) : nil
        }
        let others: [ServiceRoutes.Group] =
            configuration.roles.contains(.api) ? ServiceRoutes.Group.allCases : [.operators]
        let routes = ServiceRoutes(service: context, store: store, sender: sender)
        operatorRouter = configuration.operators.map { _ in
            RouterBox(others, of: routes, isSecure: configuration.operatorCertificate != nil)
        }
        router = RouterBox(
            configuration.operators == nil ? ServiceRoutes.Group.allCases : [.phones], of: routes,
            isSecure: configuration.certificate != nil)
    }

    /// The live feed of timeline events, from all processes that share the store.
    ///
    /// The deliveries of some messages are kept as bitmaps with a bit for each device (``RangeRules``). If another process sends
    /// such a message, this feed omits that process's events for the message, and ``changedMessages`` contains the message
    /// instead.
    package var events: EventHub<TimelineEvent> { context.publisher.events }

    /// The live feed of messages that any process has accepted, paused, resumed, cancelled or recalled.
    ///
    /// The feed may contain a message twice for one change. The deliveries of some messages are kept as bitmaps with a bit for
    /// each device (``RangeRules``). The feed also contains such a message each time that its sending has made progress.
    package var changedMessages: EventHub<MessageReference> { context.publisher.messages }

    /// The longest time that the program runs on after it was asked to end, even if work is still in progress.
    package static let longestEnd = ServiceLimits.longestEnd

    /// Applies those settings of a configuration that can change while the service runs: limits and trusted proxies.
    ///
    /// The limits are those on calls, installations, connections and waiting pushes. Open connections stay open.
    ///
    /// - Parameters:
    ///   - changed: the new configuration. Its other settings are ignored.
    ///   - former: the configuration of the last call, or of the initializer.
    package func adjust(to changed: ServiceConfiguration, from former: ServiceConfiguration) {
        context.adjust(to: changed, from: former)
    }

    /// Adds routes to the service's own routes.
    ///
    /// A program must call this function before ``run()``. Errors that the added routes throw become problem documents too. If
    /// ``ServiceConfiguration/operators`` sets a separate address for operators, only that address serves the added routes.
    package func addRoutes(_ add: (Router<ServiceRequestContext>) -> Void) {
        (operatorRouter ?? router).withRouter(add)
    }

    /// Waits until the service listens, and returns its port.
    ///
    /// - Throws: ``ServiceError`` if the service ended before it listened, or does not have the role
    ///   ``ServiceConfiguration/Role/api`` or ``ServiceConfiguration/port``.
    package func boundPort() async throws -> Int { try await port.value() }

    /// Waits until the service listens on ``ServiceConfiguration/socket``, and the file's permissions are set.
    ///
    /// - Throws: ``ServiceError`` if the service ended before it listened, or has no such socket.
    package func untilSocketListens() async throws { _ = try await socketReady.value() }

    /// Waits until the service listens at ``ServiceConfiguration/operators``, and returns the port.
    ///
    /// - Throws: ``ServiceError`` if the service ended before it listened, or has no such listener.
    package func operatorPort() async throws -> Int { try await operatorPorts.value() }

    /// Waits until the service has written its apps to the store and starts its parts, such as its sender.
    ///
    /// - Throws: ``ServiceError`` if the service ended before.
    package func untilStarted() async throws { _ = try await started.value() }

    /// Runs the service until the task is cancelled or the service is shut down gracefully.
    ///
    /// In a graceful shutdown, the service first finishes the HTTP requests in progress and accepts no new ones. After
    /// ``ServiceLimits/lastCalls``, it closes the connections that are still open.
    ///
    /// It then waits for APNs' answers to the pushes in flight and stores the outcomes, for at most
    /// ``DeliveryLimits/drainPatience``. Pushes that have no answer by then are sent again later.
    package func run() async throws {
        defer {
            events.finish()
            changedMessages.finish()
            context.publisher.feeds.finish()
            for each in [port, socketReady, operatorPorts, started] { each.fail() }
        }
        if operatorRouter == nil { operatorPorts.fail() }
        if context.configuration.port == nil { port.fail() }
        if context.configuration.socket == nil { socketReady.fail() }
        let roles = context.configuration.roles.map(\.rawValue).sorted().joined(separator: ", ")
        context.logger.notice("the service starts", metadata: ["roles": "\(roles)"])
        defer { context.logger.notice("the service has stopped", metadata: ["roles": "\(roles)"]) }
        let database = DatabaseWait(clock: context.clock, lines: context.repeated)
        for app in context.configuration.apps {
            let put = try await database.answer {
                try await store.apps.put(app, by: context.configuration.actor, at: context.clock.now)
            }
            guard put != nil else { return }
        }
        // Reads the position in the sequence of commits before any client can connect, so that subscribers get all later events.
        let start = try? await store.news.news(since: nil, [], limit: 0).mark
        var members = [
            Member(service: StoreWatch(service: context, store: store.news, since: start), serviceName: "watch")
        ]
        members += senders()
        members.append(
            Member(service: KeyUseRecorder(service: context, keys: store.keys), serviceName: "uses of API keys"))
        members += certificates() + listeners()
        started.succeed(0)
        try await ServiceGroup(
            configuration: ServiceGroupConfiguration(services: members, logger: context.logger)
        ).run()
    }

    /// Returns the watch of the listeners' certificates, if there are any.
    private func certificates() -> [Member] {
        let certificates = context.configuration.listenerCertificates.map(\.certificate)
        guard !certificates.isEmpty else { return [] }
        let watch = CertificateWatch(service: context, certificates: certificates)
        return [Member(service: watch, serviceName: "certificates")]
    }

    // Each member has a name, because the group logs an unnamed member by its Swift description, including its configuration.
    private typealias Member = ServiceGroupConfiguration.ServiceConfiguration

    /// Returns the services that run in a process with the role ``ServiceConfiguration/Role/sender``.
    private func senders() -> [Member] {
        guard let worker else { return [] }
        return [
            Member(service: worker, serviceName: "sender"),
            Member(service: RetentionPurger(service: context, store: store.upkeep), serviceName: "retention"),
            Member(
                service: CredentialExpiryReminder(service: context, store: store.apps, sender: worker.sender),
                serviceName: "credentials"),
            Member(
                service: CredentialChangeWatch(service: context, sender: worker.sender),
                serviceName: "credential changes"),
            Member(service: WebhookWorker(service: context, store: store.webhooks), serviceName: "webhooks"),
            Member(
                service: ActivityChannelWorker(service: context, store: store.channels, sender: worker.sender),
                serviceName: "channels"),
            Member(service: BroadcastWatch(service: context, store: store.upkeep), serviceName: "broadcasts"),
        ]
    }

    /// Returns the HTTP servers of the process.
    ///
    /// They come last in the service group: a group shuts down from its last member to its first, so HTTP requests end before
    /// sending does.
    private func listeners() -> [Member] {
        var members: [Member] = []
        let isAPI = context.configuration.roles.contains(.api)
        if isAPI, let number = context.configuration.port {
            let address = ServiceConfiguration.ListenAddress(host: context.configuration.host, port: number)
            members.append(
                Member(
                    service: application(router, at: address, context.configuration.certificate, port),
                    serviceName: "api"))
        }
        if isAPI, let socket = context.configuration.socket {
            members.append(Member(service: socketServer(socket), serviceName: "socket"))
        }
        if let operatorRouter, let address = context.configuration.operators {
            let certificate = context.configuration.operatorCertificate
            members.append(
                Member(
                    service: application(operatorRouter, at: address, certificate, operatorPorts),
                    serviceName: "operators"))
        }
        return members
    }

    private func application(
        _ router: RouterBox, at address: ServiceConfiguration.ListenAddress, _ certificate: ListenerCertificate?,
        _ port: BoundPort
    ) -> some Service {
        application(router, at: .hostname(address.host, port: address.port), certificate) { channel in
            port.succeed(channel.localAddress?.port)
        }
    }

    /// Returns the server on the Unix socket; it speaks no TLS, which is the proxy's.
    private func socketServer(_ place: ServiceConfiguration.ListenSocket) -> some Service {
        let socket = ListeningSocket(place, clock: context.clock, logger: context.logger)
        let server = application(router, at: .unixDomainSocket(path: socket.bindingPath), nil) {
            [socketReady] channel in
            if socket.opened() { socketReady.succeed(0) } else { channel.close(promise: nil) }
        }
        return SocketServer(server: server, socket: socket)
    }

    private func application(
        _ router: RouterBox, at address: BindAddress, _ certificate: ListenerCertificate?,
        _ onRunning: @escaping @Sendable (any Channel) async -> Void
    ) -> some Service {
        let (clock, connections, times) = (
            context.clock, context.connections, context.configuration.connectionTimes
        )
        let application = Application(
            responder: router.responder(),
            server: HTTPServerBuilder {
                RequestChannel(
                    base: HTTP1Channel(responder: $0), clock: clock, connections: connections, times: times,
                    certificate: certificate)
            },
            configuration: ApplicationConfiguration(
                address: address, serverName: nil),
            onServerRunning: onRunning,
            logger: context.logger)
        return EndingCalls(server: application, connections: connections, clock: clock)
    }
}

/// The HTTP router, to which routes can be added until the service runs.
///
/// `@unchecked Sendable`: `Router` is not sendable; it is used only under the lock.
private final class RouterBox: @unchecked Sendable {
    private let lock = Mutex(())
    private let router = Router(context: ServiceRequestContext.self, options: .autoGenerateHeadEndpoints)
    private let routes = RouteTable()

    init(_ groups: [ServiceRoutes.Group], of service: ServiceRoutes, isSecure: Bool) {
        // The middleware comes first, because it serves only routes that are added after it.
        router.add(middleware: ProblemMiddleware(routes: routes, lines: service.service.repeated))
        router.add(middleware: BrowserGuard(service: service.service))
        router.add(middleware: QueryMiddleware())
        router.add(middleware: BodyMemoryMiddleware(service: service.service))
        router.add(middleware: ContinueMiddleware())
        service.add(groups, to: router, isSecure: isSecure)
    }

    /// Returns the responder for all routes added so far.
    func responder() -> some HTTPResponder<ServiceRequestContext> {
        withRouter { router in
            routes.fill(router.routes.map { ($0.method, $0.path.description) })
            return router.buildResponder()
        }
    }

    func withRouter<Value>(_ body: (Router<ServiceRequestContext>) -> Value) -> Value {
        lock.withLock { _ in body(router) }
    }
}
