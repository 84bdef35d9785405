import CarillonCore
import Foundation
import NIOCore
import NIOExtras
import NIOHTTP1
import NIOPosix
import NIOSSL

/// Makes connections.
///
/// The steps are: name look-up, TCP, a proxy's tunnel if there is one, TLS with a verified server certificate, ALPN and HTTP/2.
struct Connector: Sendable {
    let endpoint: APNsEndpoint
    /// The endpoint as written in `:authority`.
    let authority: String
    /// The TLS context, with the client certificate if the credential is one.
    var tls: NIOSSLContext
    let timeout: Duration
    let eventLoop: any EventLoop
    private let peer: PeerName
    /// The address to connect to; `nil` to resolve the endpoint's host.
    private let address: String?
    private let proxy: APNsProxy?

    init(
        endpoint: APNsEndpoint, address: String?, proxy: APNsProxy?, tls: NIOSSLContext, timeout: Duration,
        eventLoop: any EventLoop
    ) {
        self.endpoint = endpoint
        self.address = address
        self.proxy = proxy
        peer = PeerName(host: endpoint.host)
        authority = endpoint.description
        self.tls = tls
        self.timeout = timeout
        self.eventLoop = eventLoop
    }

    private var timeLimit: TimeAmount { .nanoseconds(timeout.wholeMilliseconds * 1_000_000) }

    /// Connects to the endpoint.
    ///
    /// It resolves the host each time, because Apple's addresses change and one of them may be down.
    func connect(_ id: ConnectionID, owner: ClientLoop) -> EventLoopFuture<any Channel> {
        let bootstrap = ClientBootstrap(group: eventLoop)
            .channelOption(.socketOption(.so_keepalive), value: 1)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .connectTimeout(timeLimit)
        guard let proxy else {
            return
                bootstrap
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture { try prepare(channel, id: id, owner: owner) }
                }
                .connect(host: address ?? endpoint.host, port: endpoint.port)
        }
        return
            bootstrap
            .connect(host: proxy.host, port: proxy.port)
            .flatMapErrorThrowing { throw ProxyProblem.unreachable(proxy, ConnectionErrorText.sentence($0)) }
            .flatMap { channel in tunnel(through: proxy, channel, id: id, owner: owner) }
    }

    /// Asks the proxy for a tunnel, and starts TLS with APNs through it.
    private func tunnel(
        through proxy: APNsProxy, _ channel: any Channel, id: ConnectionID, owner: ClientLoop
    ) -> EventLoopFuture<any Channel> {
        let isOpen = channel.eventLoop.makePromise(of: Void.self)
        do {
            let operations = channel.pipeline.syncOperations
            let (encoder, decoder) = (HTTPRequestEncoder(), ByteToMessageHandler(HTTPResponseDecoder()))
            var headers = HTTPHeaders([("host", authority)])
            if let credentials = proxy.credentials {
                headers.add(name: "proxy-authorization", value: "Basic \(Data(credentials.utf8).base64EncodedString())")
            }
            let handshake = NIOHTTP1ProxyConnectHandler(
                targetHost: endpoint.host.contains(":") ? "[\(endpoint.host)]" : endpoint.host,
                targetPort: endpoint.port, headers: headers, deadline: .now() + timeLimit, promise: isOpen)
            let bound = NIOLoopBound((encoder, decoder), eventLoop: channel.eventLoop)
            try operations.addHandlers([encoder, decoder, handshake])
            return isOpen.futureResult
                .flatMap {
                    let (encoder, decoder) = bound.value
                    let operations = channel.pipeline.syncOperations
                    return operations.removeHandler(encoder).and(operations.removeHandler(decoder)).map { _ in }
                }
                .flatMapErrorThrowing { throw ProxyProblem(proxy, $0) }
                .flatMapThrowing {
                    try prepare(channel, id: id, owner: owner)
                    return channel
                }
                .flatMapErrorThrowing { error in
                    channel.close(promise: nil)
                    throw error
                }
        } catch {
            isOpen.fail(error)
            return channel.eventLoop.makeFailedFuture(error)
        }
    }

    private func prepare(_ channel: any Channel, id: ConnectionID, owner: ClientLoop) throws {
        let operations = channel.pipeline.syncOperations
        try operations.addHandler(NIOSSLClientHandler(context: tls, serverHostname: peer.serverName))
        try operations.addHandler(NegotiationHandler(id: id, peer: peer, owner: owner))
    }
}

/// The reason why a proxy provides no tunnel.
struct ProxyProblem: Error, CustomStringConvertible {
    let description: String

    private init(_ description: String) { self.description = description }

    static func unreachable(_ proxy: APNsProxy, _ why: String) -> Self {
        Self("the proxy \(proxy) cannot be reached (\(why))")
    }

    init(_ proxy: APNsProxy, _ error: any Error) {
        guard let error = error as? NIOHTTP1ProxyConnectHandler.Error else {
            self.init("the proxy \(proxy) did not open a tunnel (\(ConnectionErrorText.sentence(error)))")
            return
        }
        switch error {
        case .proxyAuthenticationRequired():
            self.init(
                proxy.credentials == nil
                    ? "the proxy \(proxy) demands a user and password (407)"
                    : "the proxy \(proxy) refuses this user and password (407)")
        case .httpProxyHandshakeTimeout(): self.init("the proxy \(proxy) did not answer in time")
        case .remoteConnectionClosed(): self.init("the proxy \(proxy) closed the connection")
        default:
            let status = Self.status(in: error.description).map { " (\($0))" } ?? ""
            self.init("the proxy \(proxy) refuses to connect to APNs\(status)")
        }
    }

    /// Extracts the status from the error's description, because the library provides it in no other form.
    private static func status(in description: String) -> String? {
        description.firstMatch(of: /status: ([0-9]{3}[^,]*)/).map { String($0.1) }
    }
}
