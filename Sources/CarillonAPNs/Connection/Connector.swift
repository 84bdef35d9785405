import CarillonCore
import Foundation
import NIOCore
import NIOExtras
import NIOHTTP1
import NIOPosix
import NIOSSL

/// Opens HTTP/2 connections to APNs, directly or through a proxy.
///
/// The steps are: name look-up, TCP, the proxy's tunnel if there is a proxy, TLS with a verified server certificate, ALPN and
/// HTTP/2.
struct Connector: Sendable {
    let endpoint: APNsEndpoint
    /// The endpoint's host and port, for the header field `:authority`.
    let authority: String
    /// The TLS context, with the client certificate if the credential is a certificate.
    var tls: NIOSSLContext
    let timeout: Duration
    let eventLoop: any EventLoop
    private let peer: PeerName
    /// The addresses to connect to; `nil` to resolve the endpoint's host.
    private let addresses: [String]?
    private let proxy: APNsProxy?

    init(
        endpoint: APNsEndpoint, addresses: [String]?, proxy: APNsProxy?, tls: NIOSSLContext, timeout: Duration,
        eventLoop: any EventLoop
    ) {
        self.endpoint = endpoint
        self.addresses = addresses
        self.proxy = proxy
        peer = PeerName(host: endpoint.host)
        authority = endpoint.description
        self.tls = tls
        self.timeout = timeout
        self.eventLoop = eventLoop
    }

    /// Connects to the endpoint, directly or through the proxy.
    ///
    /// Every attempt resolves the host again, because Apple's addresses change, and an address may be down. The method runs on
    /// the event loop, and reports each step to the owner, so that the owner can explain a timeout.
    func connect(_ id: ConnectionID, owner: ClientLoop) -> EventLoopFuture<any Channel> {
        let (host, port) = proxy.map { ($0.host, $0.port) } ?? (endpoint.host, endpoint.port)
        owner.reached(.lookUp(host: host), connection: id)
        return lookUp(host, port: port)
            .flatMap { found in
                let addresses = owner.addressOrder.sorted(found)
                let target = Self.target(host, addresses, proxy)
                owner.reached(.opening(target), connection: id)
                return open(host, port: port, addresses)
                    .flatMapErrorThrowing { throw ConnectProblem(opening: target, $0, within: timeout, proxy) }
            }
            .flatMap { channel in
                owner.opened(channel, connection: id)
                guard let proxy else { return begin(on: channel, id: id, owner: owner) }
                owner.reached(.tunnel(proxy), connection: id)
                return tunnel(through: proxy, channel).flatMap { begin(on: channel, id: id, owner: owner) }
            }
    }

    private func lookUp(_ host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
        if proxy == nil, let addresses {
            return eventLoop.makeCompletedFuture { try addresses.map { try SocketAddress(ipAddress: $0, port: port) } }
        }
        return HostLookUp.shared.addresses(of: host, port: port, on: eventLoop)
            .flatMapErrorThrowing { error in
                throw proxy.map { ConnectProblem.unreachable($0, "\(error)") } ?? error
            }
    }

    /// Opens a TCP connection to the first address that accepts one (RFC 8305).
    private func open(_ host: String, port: Int, _ addresses: [SocketAddress]) -> EventLoopFuture<any Channel> {
        // The handlers are added later: if two addresses accept a connection, NIO closes one of the two.
        ClientBootstrap(group: eventLoop)
            .channelOption(.socketOption(.so_keepalive), value: 1)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .connectTimeout(.nanoseconds(timeout.wholeMilliseconds * 1_000_000))
            .resolver(KnownAddresses(addresses: addresses, eventLoop: eventLoop))
            .connect(host: host, port: port)
    }

    /// Returns a text that names the host or the proxy, and its addresses.
    private static func target(_ host: String, _ addresses: [SocketAddress], _ proxy: APNsProxy?) -> String {
        let texts = addresses.map(\.text).joined(separator: ", ")
        guard let proxy else {
            return addresses.count == 1 && addresses[0].ipAddress == host ? texts : "\(host) (\(texts))"
        }
        return addresses.count == 1 && addresses[0].ipAddress == host
            ? "the proxy \(proxy)" : "the proxy \(proxy) (\(texts))"
    }

    /// Begins TLS on a TCP connection to APNs, or inside a proxy's tunnel.
    private func begin(on channel: any Channel, id: ConnectionID, owner: ClientLoop) -> EventLoopFuture<any Channel> {
        let server = proxy.map { "\(endpoint) through the proxy \($0)" } ?? channel.remoteAddress?.text ?? "\(endpoint)"
        owner.reached(.handshake(server), connection: id)
        do {
            let operations = channel.pipeline.syncOperations
            try operations.addHandler(NIOSSLClientHandler(context: tls, serverHostname: peer.serverName))
            try operations.addHandler(NegotiationHandler(id: id, server: server, peer: peer, owner: owner))
            return channel.eventLoop.makeSucceededFuture(channel)
        } catch {
            channel.close(promise: nil)
            return channel.eventLoop.makeFailedFuture(error)
        }
    }

    /// Asks the proxy for a tunnel.
    private func tunnel(through proxy: APNsProxy, _ channel: any Channel) -> EventLoopFuture<Void> {
        let isOpen = channel.eventLoop.makePromise(of: Void.self)
        do {
            let operations = channel.pipeline.syncOperations
            let (encoder, decoder) = (HTTPRequestEncoder(), ByteToMessageHandler(HTTPResponseDecoder()))
            let (framing, watch) = (TunnelAnswerFraming(), AnswerWatch())
            var headers = HTTPHeaders([("host", authority)])
            if let credentials = proxy.credentials {
                headers.add(name: "proxy-authorization", value: "Basic \(Data(credentials.utf8).base64EncodedString())")
            }
            // The pool ends an attempt that takes too long.
            let handshake = NIOHTTP1ProxyConnectHandler(
                targetHost: endpoint.host.utf8.contains(UInt8(ascii: ":")) ? "[\(endpoint.host)]" : endpoint.host,
                targetPort: endpoint.port, headers: headers, deadline: .distantFuture, promise: isOpen)
            let bound = NIOLoopBound((encoder, framing, decoder, watch), eventLoop: channel.eventLoop)
            try operations.addHandlers([encoder, framing, decoder, handshake, watch])
            return isOpen.futureResult
                .flatMap {
                    let (encoder, framing, decoder, watch) = bound.value
                    let operations = channel.pipeline.syncOperations
                    return operations.removeHandler(encoder).and(operations.removeHandler(framing))
                        .and(operations.removeHandler(decoder)).and(operations.removeHandler(watch)).map { _ in }
                }
                .flatMapErrorThrowing { error in
                    channel.close(promise: nil)
                    throw ConnectProblem(proxy, bound.value.3.problem ?? error)
                }
        } catch {
            isOpen.fail(error)
            return channel.eventLoop.makeFailedFuture(error)
        }
    }
}

/// Removes the header fields from a proxy's successful answer to CONNECT.
///
/// Such an answer has no body, and the client must ignore the fields that would describe one, `Content-Length` and
/// `Transfer-Encoding` ([RFC 9110 §9.3.6](https://www.rfc-editor.org/rfc/rfc9110#section-9.3.6)). The HTTP parser refuses the
/// answer if these fields contradict each other.
private final class TunnelAnswerFraming: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private var head: [UInt8] = []
    private var isDone = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isDone else { return context.fireChannelRead(data) }
        head += unwrapInboundIn(data).readableBytesView
        guard head.starts(with: "HTTP/1.".utf8.prefix(head.count)), head.count <= ClientLimits.headerBlockByteLimit
        else {
            return pass(head, context)
        }
        guard let end = head.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound else { return }
        let line = String(decoding: head.prefix { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
        guard line.prefixMatch(of: /HTTP\/1\.[0-9] 2[0-9]{2}/) != nil else { return pass(head, context) }
        pass(Array("\(line)\r\n\r\n".utf8) + head[end...], context)
    }

    private func pass(_ bytes: [UInt8], _ context: ChannelHandlerContext) {
        isDone = true
        head = []
        context.fireChannelRead(wrapInboundOut(ByteBuffer(bytes: bytes)))
    }
}

/// Closes a connection to a proxy as soon as the proxy sends bytes that are not HTTP, and keeps the parser's error.
private final class AnswerWatch: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    private(set) var problem: HTTPParserError?

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? HTTPParserError else { return context.fireErrorCaught(error) }
        problem = problem ?? error
        context.close(promise: nil)
    }
}

/// The reason why there is no connection to a host or to a proxy, or no tunnel through a proxy.
struct ConnectProblem: Error, CustomStringConvertible {
    let description: String

    private init(_ description: String) { self.description = description }

    static func unreachable(_ proxy: APNsProxy, _ why: String) -> Self {
        Self("the proxy \(proxy) cannot be reached (\(why))")
    }

    /// Explains why no address accepted a connection.
    init(opening target: String, _ error: any Error, within timeout: Duration, _ proxy: APNsProxy?) {
        if case ChannelError.connectTimeout = error {
            self.init(ConnectStep.opening(target).sentence(after: timeout))
            return
        }
        let sentence = ConnectionErrorText.sentence(error)
        self = proxy.map { .unreachable($0, sentence) } ?? Self(sentence)
    }

    /// Explains why a proxy opened no tunnel.
    init(_ proxy: APNsProxy, _ error: any Error) {
        if error is HTTPParserError {
            self.init("the proxy \(proxy) does not speak HTTP: name the plain port of a proxy for HTTP CONNECT")
            return
        }
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
        case .remoteConnectionClosed():
            self.init("the proxy \(proxy) closed the connection without an answer to CONNECT")
        default:
            let status = Self.status(in: error.description).map { " (\($0))" } ?? ""
            self.init("the proxy \(proxy) refuses to connect to APNs\(status)")
        }
    }

    /// Returns the HTTP status in a proxy's refusal, such as `403 Forbidden`; `nil` if there is none.
    ///
    /// The method parses the error's description, because NIO's error has no property for the status.
    private static func status(in description: String) -> String? {
        description.firstMatch(of: /status: ([0-9]{3}[^,]*)/).map { String($0.1) }
    }
}
