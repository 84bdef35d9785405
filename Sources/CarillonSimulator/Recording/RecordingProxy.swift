import CarillonCore
import Foundation
import Logging
import NIOCore
import NIOPosix
import NIOSSL

/// Stands between a sender and its APNs, and records what passes.
///
/// Each connection of a sender gets a connection to APNs of its own, so that GOAWAY, resets and cuts reach the sender as they come.
/// Senders need provider tokens: a client certificate proves a key that only the sender has, so nobody else can present it.
package final class RecordingProxy: Sendable {
    /// The APNs to record.
    package struct Upstream: Sendable, Hashable {
        package var host: String
        package var port: Int
        /// The authority to trust in PEM; `nil` for those of the system.
        package var trustedPEM: String?

        /// Makes an address of APNs.
        package init(host: String, port: Int, trustedPEM: String?) {
            (self.host, self.port, self.trustedPEM) = (host, port, trustedPEM)
        }

        /// The host, with the port unless it is 443: the `:authority` of requests.
        package var authority: String { port == 443 ? host : URLAuthority.text(host: host, port: port) }
    }

    /// A report of the proxy.
    package enum Report: Sendable {
        case entry(APNsRecording.Entry)
        /// A connection could not be made, or broke the protocol; a sentence for people.
        case problem(String)
    }

    /// The certificate that senders must trust, in PEM.
    package let caCertificatePEM: String
    package let caPrivateKeyPEM: String
    package let port: Int
    private let channel: any Channel
    private let registry: ConnectionRegistry

    private init(channel: any Channel, port: Int, registry: ConnectionRegistry, ca: (String, String)) {
        (self.channel, self.port, self.registry) = (channel, port, registry)
        (caCertificatePEM, caPrivateKeyPEM) = ca
    }

    /// Starts a proxy that listens for senders.
    ///
    /// - Parameters:
    ///   - configuration: the address to listen on, the clock, and the credentials of an earlier start. All else is ignored.
    ///   - upstream: the APNs to record.
    ///   - salt: random bytes for the device tokens' pseudonyms, which are kept nowhere.
    ///   - keepsPayloads: whether the recording has the payloads.
    ///   - report: gets each entry as soon as it is complete, on a thread of the proxy.
    /// - Returns: the listening proxy.
    /// - Throws: ``SimulatorError`` if the address is in use, or if `upstream` has no readable certificate.
    package static func start(
        _ configuration: SimulatorConfiguration, upstream: Upstream, salt: [UInt8], keepsPayloads: Bool,
        report: @escaping @Sendable (Report) -> Void
    ) async throws(SimulatorError) -> RecordingProxy {
        let account = try SimulatedAccount(configuration)
        guard let tls = try account.tlsContext(configuration) else {
            throw SimulatorError(.invalidConfiguration, "a recording needs TLS")
        }
        let registry = ConnectionRegistry()
        let start = configuration.clock.uptime
        let link = LinkMaker(
            upstream: upstream, clientTLS: try clientTLS(upstream), clock: configuration.clock, start: start,
            pseudonyms: Pseudonyms(salt: salt, keepsPayloads: keepsPayloads), report: report)
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: SimulatorLimits.listenBacklog)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let number = registry.add(channel)
                    channel.closeFuture.whenComplete { _ in registry.remove(number) }
                    let handshake = HandshakeHandler(timeout: SimulatorLimits.handshakeTimeout) { channel, _ in
                        try link.connect(channel, number: number)
                    }
                    let secure = NIOSSLServerHandler(context: tls) { _, verdict in verdict.succeed(.certificateVerified)
                    }
                    try channel.pipeline.syncOperations.addHandlers(secure, handshake)
                }
            }
        do {
            let channel = try await bootstrap.bind(host: configuration.host, port: configuration.port).get()
            guard let port = channel.localAddress?.port else { throw ChannelError.unknownLocalAddress }
            let ca = (try account.caCertificatePEM(), try account.caPrivateKeyPEM())
            return RecordingProxy(channel: channel, port: port, registry: registry, ca: ca)
        } catch {
            throw .cannotListen("the recorder", host: configuration.host, port: configuration.port, error)
        }
    }

    private static func clientTLS(_ upstream: Upstream) throws(SimulatorError) -> NIOSSLContext {
        do {
            var configuration = TLSConfiguration.makeClientConfiguration()
            configuration.minimumTLSVersion = .tlsv12
            configuration.applicationProtocols = ["h2"]
            if let pem = upstream.trustedPEM {
                configuration.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(pem.utf8)))
            }
            return try NIOSSLContext(configuration: configuration)
        } catch {
            throw SimulatorError(.invalidCredential, "the authority to trust is no certificate in PEM: \(error)")
        }
    }

    /// Stops the proxy.
    ///
    /// Requests without an answer are told as abandoned.
    package func shutdown() async {
        try? await channel.close().get()
        for channel in registry.channels { try? await channel.close().get() }
    }
}

/// Connects a sender's connection with one to APNs.
private struct LinkMaker: Sendable {
    let upstream: RecordingProxy.Upstream
    let clientTLS: NIOSSLContext
    let clock: any CarillonClock
    let start: Duration
    let pseudonyms: Pseudonyms
    let report: @Sendable (RecordingProxy.Report) -> Void

    func connect(_ sender: any Channel, number: Int) throws {
        let (clock, start, report) = (clock, start, report)
        let link = RecordingLink(
            RecordedConnection(number: number, authority: upstream.authority, pseudonyms: pseudonyms), sender: sender,
            now: { clock.uptime - start }, report: report)
        try sender.pipeline.syncOperations.addHandler(RecordingRelay(.sender, link))
        let bound = NIOLoopBound(link, eventLoop: sender.eventLoop)
        let (tls, upstream) = (clientTLS, upstream)
        // On the sender's event loop, so that both connections have one thread and no lock.
        ClientBootstrap(group: sender.eventLoop)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let isAddress = (try? SocketAddress(ipAddress: upstream.host, port: 0)) != nil
                    let name = isAddress ? nil : upstream.host
                    try channel.pipeline.syncOperations.addHandlers(
                        try NIOSSLClientHandler(context: tls, serverHostname: name),
                        RecordingRelay(.apns, bound.value))
                }
            }
            .connect(host: upstream.host, port: upstream.port)
            .whenComplete { result in
                switch result {
                case .success(let channel): bound.value.connected(channel)
                case .failure(let error): bound.value.failed("\(upstream.authority) cannot be reached: \(error)")
                }
            }
    }
}

/// Passes the bytes of one side to the link.
private final class RecordingRelay: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let side: RecordedConnection.Side
    private let link: RecordingLink

    init(_ side: RecordedConnection.Side, _ link: RecordingLink) { (self.side, self.link) = (side, link) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { link.received(unwrapInboundIn(data), from: side) }

    func channelInactive(context: ChannelHandlerContext) { link.ended(side) }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        link.wrote(side, isWritable: context.channel.isWritable)
        context.fireChannelWritabilityChanged()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if !error.isEndOfConnection { link.failed("\(side == .apns ? "APNs" : "a sender"): \(error)") }
        context.close(promise: nil)
    }
}

/// Both connections of one recorded connection; lives on their event loop.
private final class RecordingLink {
    private var connection: RecordedConnection
    private let sender: any Channel
    private var apns: (any Channel)?
    private var pending = ByteBuffer()
    private var isOver = false
    private let now: () -> Duration
    private let report: (RecordingProxy.Report) -> Void

    init(
        _ connection: RecordedConnection, sender: any Channel, now: @escaping () -> Duration,
        report: @escaping (RecordingProxy.Report) -> Void
    ) {
        (self.connection, self.sender, self.now, self.report) = (connection, sender, now, report)
    }

    func connected(_ channel: any Channel) {
        guard !isOver else { return channel.close(promise: nil) }
        apns = channel
        channel.writeAndFlush(pending, promise: nil)
        pending = ByteBuffer()
    }

    func received(_ bytes: ByteBuffer, from side: RecordedConnection.Side) {
        guard !isOver else { return }
        do {
            let (forward, entries) = try connection.received(bytes, from: side, at: now())
            for entry in entries { report(.entry(entry)) }
            pass(forward, from: side)
        } catch {
            failed("connection ended: \(error)")
        }
    }

    private func pass(_ bytes: ByteBuffer, from side: RecordedConnection.Side) {
        guard bytes.readableBytes > 0 else { return }
        if side == .apns { return sender.writeAndFlush(bytes, promise: nil) }
        if let apns { return apns.writeAndFlush(bytes, promise: nil) }
        pending.writeImmutableBuffer(bytes)
        if pending.readableBytes > SimulatorLimits.recordedBacklogByteLimit {
            failed("a sender sent more than a mebibyte before APNs could be reached")
        }
    }

    /// Stops reading from the one side while the other side takes nothing.
    func wrote(_ side: RecordedConnection.Side, isWritable: Bool) {
        let other = side == .apns ? sender : apns
        other?.setOption(.autoRead, value: isWritable).whenFailure { _ in }
    }

    func failed(_ problem: String) {
        report(.problem(problem))
        ended(.apns)
    }

    func ended(_ side: RecordedConnection.Side) {
        guard !isOver else { return }
        isOver = true
        for entry in connection.ended(by: side, at: now()) { report(.entry(entry)) }
        sender.close(promise: nil)
        apns?.close(promise: nil)
    }
}
