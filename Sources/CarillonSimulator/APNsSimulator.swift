import CarillonCore
import Logging
import NIOCore
import NIOSSL
import Synchronization

/// A server on this machine that behaves like APNs.
///
/// The simulator implements TLS, HTTP/2, Apple's checks and rejection reasons, and store-and-forward: it keeps pushes for devices
/// that are offline. Simulated devices connect by method calls inside the simulator's process, or over the admin API.
///
/// A program that sends pushes, in any language, connects to ``host`` and ``port``, trusts ``caCertificatePEM`` and signs with
/// ``signingKeyPEM``. The program needs no other change.
public final class APNsSimulator: Sendable {
    /// The address on which the simulator listens.
    public let host: String
    /// The port on which the simulator listens, also after ``resumeListening()``; of several, the first.
    public let port: Int
    /// All ports on which the simulator listens: ``port``, and those of ``SimulatorConfiguration/furtherPorts``.
    public let ports: [Int]
    /// The certificate of the authority that senders must trust, in PEM.
    public let caCertificatePEM: String
    /// The private key of the certificate authority in PEM, to pass in ``SimulatorCredentials`` at a later start.
    ///
    /// Senders do not need this key.
    public let caPrivateKeyPEM: String
    /// The key that senders sign with, in PEM: the contents of the `AuthKey_<key id>.p8` that Apple would provide.
    public let signingKeyPEM: String
    /// The id of the signing key, ten characters: `kid` in the header of a provider token.
    public let keyID: String
    /// The id of the team, ten characters: `iss` in the claims of a provider token.
    public let teamID: String
    /// The APNs environment that is simulated.
    ///
    /// If a request's device token belongs to the other environment, the simulator rejects the request with BadDeviceToken.
    public let environment: APNsEnvironment
    /// The bundle ids of the team's apps.
    public let topics: Set<String>
    /// The doors that are open for senders which Apple's servers would turn away.
    public let doors: Set<SimulatorDoor>

    /// The devices, with their tokens and connections.
    public let devices: DeviceFleet

    /// The faults that the simulator injects: random faults by a plan, and scripted faults for single device tokens.
    public let faults: FaultInjector

    private enum Listening {
        case on([any Channel])
        /// The channels, one for each port, no longer accept connections, or are being closed.
        case paused([any Channel])
        case shutDown
    }

    let admin: AdminServer?
    let clock: any CarillonClock
    let counters: Counters
    private let journal: Journal
    private let registry: ConnectionRegistry
    private let listener: Listener
    private let listening: Mutex<Listening>

    /// Starts a simulator, which runs until ``shutdown()``.
    ///
    /// - Parameters:
    ///   - configuration: the apps, the clock, and values that differ from the defaults.
    ///   - logger: logs connection events at debug level. It gets no token, key or payload.
    /// - Returns: the listening simulator.
    /// - Throws: ``SimulatorError`` if the configuration or a given credential is invalid, or the address is in use.
    public static func start(
        _ configuration: SimulatorConfiguration, logger: Logger
    ) async throws(SimulatorError) -> APNsSimulator {
        try configuration.validate()
        let account = try SimulatedAccount(configuration)
        var generator = SeededGenerator(seed: configuration.seed)
        let journal = Journal(limit: configuration.journalLimit)
        let counters = Counters()
        let devices = DeviceFleet(configuration, generator: generator.fork(), journal: journal, counters: counters)
        let service = PushService(
            configuration: configuration,
            tokens: account.tokens(configuration),
            devices: devices, faults: FaultInjector(plan: configuration.faults, generator: generator.fork()),
            journal: journal, counters: counters)
        let listener = Listener(
            service: service, tls: try account.tlsContext(configuration), authority: account.authority,
            registry: ConnectionRegistry(), concurrentStreams: configuration.concurrentStreams,
            streamsBeforeProof: configuration.streamsBeforeProof, idleTimeout: configuration.idleTimeout,
            logger: logger)
        let box = SimulatorBox()
        var admin: AdminServer?
        if let port = configuration.adminPort {
            admin = try await AdminServer.start(configuration, port: port, logger: logger) {
                box.simulator.map { AdminAPI(simulator: $0) }
            }
        }
        do {
            let channels = try await listener.bind(
                host: configuration.host, ports: [configuration.port] + configuration.furtherPorts)
            let simulator = try APNsSimulator(
                configuration, account: account, listener: listener, channels: channels, admin: admin)
            box.simulator = simulator
            return simulator
        } catch {
            await admin?.shutdown()
            throw error
        }
    }

    private init(
        _ configuration: SimulatorConfiguration, account: SimulatedAccount, listener: Listener, channels: [any Channel],
        admin: AdminServer?
    ) throws(SimulatorError) {
        let ports = channels.compactMap(\.localAddress?.port)
        guard let port = ports.first, ports.count == channels.count else {
            throw SimulatorError(.cannotListen, "the address \(configuration.host) has no port: give an IP address")
        }
        host = configuration.host
        (self.port, self.ports) = (port, ports)
        caCertificatePEM = try account.caCertificatePEM()
        caPrivateKeyPEM = try account.caPrivateKeyPEM()
        signingKeyPEM = account.signingKeyPEM
        keyID = configuration.keyID
        teamID = configuration.teamID
        environment = configuration.environment
        topics = configuration.topics
        doors = configuration.doors
        devices = listener.service.devices
        faults = listener.service.faults
        counters = listener.service.counters
        clock = configuration.clock
        self.admin = admin
        journal = listener.service.journal
        registry = listener.registry
        self.listener = listener
        listening = Mutex(.on(channels))
    }

    /// Issues a TLS client certificate, with which a sender needs no provider token.
    ///
    /// - Parameters:
    ///   - topics: the topics that the certificate may send for: exact bundle ids and topics with suffixes. With a single topic,
    ///     requests need no `apns-topic`.
    ///   - environments: the environments in which the certificate is valid. In any other environment, senders get
    ///     BadCertificateEnvironment. The default is both.
    ///   - end: the time at which the certificate ends, by the simulator's clock; senders get BadCertificate from then on. The
    ///     default, `nil`, means the end of 2049.
    /// - Returns: the certificate and its private key, both in PEM.
    /// - Throws: ``SimulatorError`` if there are no topics, or if the authority's key cannot sign.
    public func issueClientCertificate(
        topics: [String], environments: Set<APNsEnvironment> = Set(APNsEnvironment.allCases), end: Timestamp? = nil
    ) throws(SimulatorError) -> IssuedCertificate {
        try listener.authority.issueClientCertificate(topics: topics, environments: environments, end: end)
    }

    /// Makes the app on a device follow these broadcast channels and no others.
    ///
    /// A broadcast to one of the channels reaches the device. If the device is offline, the broadcast waits for it only if the
    /// channel stores broadcasts.
    ///
    /// - Parameters:
    ///   - channelIDs: the channels' ids, as returned in `apns-channel-id` when the channels were created; empty to follow none.
    ///   - topic: the app's bundle id.
    ///   - device: the device's id. An unknown id creates a device, which is offline.
    /// - Throws: ``SimulatorError`` if one of the ids is not a channel of the app.
    public func followChannels(_ channelIDs: [String], topic: String, device: String) throws(SimulatorError) {
        if let unknown = listener.service.broadcasts.unknown(among: channelIDs, of: topic) {
            throw SimulatorError(
                .unknownChannel, "\(topic) has no channel \(unknown): create it with POST /1/apps/\(topic)/channels")
        }
        devices.follow(channelIDs, of: topic, device: device)
    }

    // MARK: - What happened

    /// Returns the journal of requests, device events and connection events, oldest entry first.
    ///
    /// - Returns: at most ``SimulatorConfiguration/journalLimit`` entries.
    public func events() -> [SimulatorEvent] { journal.events }

    /// Returns the requests in the journal, oldest first.
    ///
    /// - Returns: the requests among the ``events()``.
    public func requests() -> [RequestRecord] { journal.events.compactMap(\.request) }

    /// Returns the journal so far, then every new entry, until the simulator is shut down.
    ///
    /// If more than ``SimulatorConfiguration/journalLimit`` entries wait for a slow reader, this reader does not get the oldest
    /// of them. Gaps in ``SimulatorEvent/number`` show the loss.
    ///
    /// - Returns: a stream for one reader.
    public func eventStream() -> AsyncStream<SimulatorEvent> { journal.stream() }

    /// Empties the journal.
    ///
    /// The numbering of entries continues.
    public func clearEvents() { journal.clear() }

    /// The requests in the journal, as the page of the admin port shows them.
    var inbox: Inbox { Inbox(journal) }

    // MARK: - Being away

    /// The number of open connections from senders.
    public var connectionCount: Int { registry.count }

    /// Stops accepting connections, as if the host were down.
    ///
    /// Open connections stay open. This method may be called any number of times and from several tasks at once.
    public func stopListening() async {
        let channels = listening.withLock { state -> [any Channel] in
            switch state {
            case .on(let channels), .paused(let channels):
                state = .paused(channels)
                return channels
            case .shutDown: return []
            }
        }
        for channel in channels { channel.close(promise: nil) }
        for channel in channels { try? await channel.closeFuture.get() }
    }

    /// Accepts connections again, on the same ports.
    ///
    /// - Throws: ``SimulatorError`` if another process has taken a port, or if the simulator has been shut down.
    public func resumeListening() async throws(SimulatorError) {
        let isPaused = listening.withLock { if case .paused = $0 { true } else { false } }
        guard isPaused else { return }
        let channels = try await listener.bind(host: host, ports: ports)
        let isWanted = listening.withLock { state in
            guard case .paused = state else { return false }
            state = .on(channels)
            return true
        }
        guard !isWanted else { return }
        for channel in channels { try? await channel.close().get() }
    }

    /// Cuts every connection, without GOAWAY and even in the middle of a request.
    public func closeAllConnections() async {
        for channel in registry.channels { try? await channel.close().get() }
    }

    /// Sends GOAWAY on every connection.
    ///
    /// The simulator still answers requests that were sent before the GOAWAY.
    ///
    /// - Parameters:
    ///   - reason: the reason in the frame's debug data, as `{"reason": …}`; `nil` for none.
    ///   - closing: whether the simulator closes each connection after it has answered the open streams.
    public func goAway(_ reason: RejectionReason?, closing: Bool) async {
        await registry.tell(closing ? .drain(reason) : .goAway(reason))
    }

    /// Limits the concurrent streams of open connections.
    ///
    /// The limit takes effect on a connection when its sender has shown a valid token. Later connections start with
    /// ``SimulatorConfiguration/concurrentStreams``.
    ///
    /// - Parameter count: the limit. A number outside the range 1–100,000 is replaced by the nearer end of that range.
    public func limitStreams(to count: Int) async {
        let range = SimulatorLimits.concurrentStreams
        await registry.tell(.limitStreams(min(max(count, range.lowerBound), range.upperBound)))
    }

    /// Shuts the simulator down: accepts no more connections, sends GOAWAY on open connections, answers their open requests, and
    /// closes them.
    ///
    /// Connections that are still open after ``shutdownGrace`` are cut. This method may be called any number of times and from
    /// several tasks at once; each call returns after the shutdown.
    public func shutdown() async {
        await stopListening()
        listening.withLock { $0 = .shutDown }
        await goAway(.shutdown, closing: true)
        await registry.closed(within: Self.shutdownGrace)
        journal.finish()
        await admin?.shutdown()
    }

    /// The time for which ``shutdown()`` waits before it cuts connections: 2 s of real time, not of the simulator's clock.
    public static let shutdownGrace = SimulatorLimits.shutdownGrace
}
