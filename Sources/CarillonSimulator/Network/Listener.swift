import CarillonCore
import Logging
import NIOCore
import NIOHTTP2
import NIOPosix
import NIOSSL

/// Accepts senders' connections: with TLS, then with HTTP/2 over it.
struct Listener: Sendable {
    let service: PushService
    /// The TLS context; `nil` if senders connect without TLS (``SimulatorDoor/cleartext``).
    let tls: NIOSSLContext?
    let authority: CertificateAuthority
    let registry: ConnectionRegistry
    let concurrentStreams: Int
    let streamsBeforeProof: Int
    let idleTimeout: Duration?
    let logger: Logger

    /// Listens on all ports of a host, or on none.
    func bind(host: String, ports: [Int]) async throws(SimulatorError) -> [any Channel] {
        var channels: [any Channel] = []
        do throws(SimulatorError) {
            for port in ports { channels.append(try await bind(host: host, port: port)) }
        } catch {
            for channel in channels { try? await channel.close().get() }
            throw error
        }
        return channels
    }

    private func bind(host: String, port: Int) async throws(SimulatorError) -> any Channel {
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AcceptPause(logger: logger))
                }
            }
            .serverChannelOption(.backlog, value: SimulatorLimits.listenBacklog)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try initialize(channel) }
            }
        do {
            return try await bootstrap.bind(host: host, port: port).get()
        } catch {
            throw .cannotListen("the simulator", host: host, port: port, error)
        }
    }

    private func initialize(_ channel: any Channel) throws {
        guard let tls else {
            let preface = PrefaceHandler { channel in try configure(channel, certificate: nil) }
            return try channel.pipeline.syncOperations.addHandler(preface)
        }
        let handshake = HandshakeHandler(timeout: SimulatorLimits.handshakeTimeout) { channel, certificate in
            try configure(channel, certificate: certificate)
        }
        let secure = NIOSSLServerHandler(context: tls) { _, verdict in verdict.succeed(.certificateVerified) }
        try channel.pipeline.syncOperations.addHandlers(secure, handshake)
    }

    private func configure(_ channel: any Channel, certificate: NIOSSLCertificate?) throws {
        let number = registry.add(channel)
        let (registry, journal, clock) = (registry, service.journal, service.clock)
        journal.append(
            .connection(
                ConnectionEvent(connection: number, kind: .opened(hasClientCertificate: certificate != nil))),
            at: clock.now)
        channel.closeFuture.whenComplete { _ in
            registry.remove(number)
            journal.append(.connection(ConnectionEvent(connection: number, kind: .closed)), at: clock.now)
        }
        service.counters.countConnection()
        let connection = service.makeConnection(
            number: number, certificate: certificate.map { ClientCertificate($0, authority: authority.certificate) })
        let limits = StreamLimits(
            full: concurrentStreams, beforeProof: streamsBeforeProof, isRaised: connection.credential.hasProvenItself)
        let gate = FrameGate(partTimeout: SimulatorLimits.partTimeout)
        let handler = SenderConnectionHandler(
            connection, service: service, gate: gate, limits: limits,
            idle: idleTimeout.map { IdleWatch(timeout: $0, at: clock.uptime) }, logger: logger)
        try channel.pipeline.syncOperations.addHandlers(
            WriteCoalescer(), gate,
            NIOHTTP2Handler(
                mode: .server, connectionConfiguration: .apns(streams: limits.current), streamConfiguration: .apns),
            handler)
    }
}

extension NIOHTTP2Handler.ConnectionConfiguration {
    /// Returns a configuration with the SETTINGS that APNs has been seen to send.
    ///
    /// - Parameter streams: the value of SETTINGS_MAX_CONCURRENT_STREAMS.
    /// - Returns: the configuration.
    static func apns(streams: Int) -> Self {
        var configuration = Self()
        configuration.initialSettings = [
            HTTP2Setting(parameter: .headerTableSize, value: SimulatorLimits.headerTableByteLimit),
            HTTP2Setting(parameter: .maxConcurrentStreams, value: streams),
            HTTP2Setting(parameter: .initialWindowSize, value: SimulatorLimits.windowByteCount),
            HTTP2Setting(parameter: .maxFrameSize, value: SimulatorLimits.frameByteLimit),
            HTTP2Setting(parameter: .maxHeaderListSize, value: SimulatorLimits.headerListByteLimit),
        ]
        return configuration
    }
}

extension NIOHTTP2Handler.StreamConfiguration {
    /// A configuration that allows a sender many resets and errors of streams.
    ///
    /// NIO's default limits are meant for servers on the internet, which need protection from floods.
    fileprivate static var apns: Self {
        var configuration = Self()
        configuration.streamResetFrameRateLimit.maximumCount = SimulatorLimits.streamResetLimit
        configuration.streamErrorRateLimit.maximumCount = SimulatorLimits.streamResetLimit
        return configuration
    }
}
