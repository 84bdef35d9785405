import CarillonCore
import Foundation
import NIOCore
import NIOHPACK
import NIOHTTP2
import NIOPosix
import NIOSSL
import NIOTLS
import Synchronization
import TestSupport

/// An HTTP/2 server that does, frame by frame, what a test tells it to: it has no opinion of APNs at all.
final class FrameServer: Sendable {
    /// An action of a client on one connection.
    enum Event: Sendable {
        case opened
        case request(HTTP2StreamID, HPACKHeaders, body: ByteBuffer)
        case reset(HTTP2StreamID)
        case goAway
        /// The answer to a PING: the client has read all that was sent before it.
        case pong
        case closed
    }

    typealias Script = @Sendable (Event, Connection) -> Void

    let port: Int
    let connections = Mutex<[Connection]>([])
    private let channel: any Channel
    private let group: MultiThreadedEventLoopGroup

    private init(channel: any Channel, group: MultiThreadedEventLoopGroup, port: Int) {
        self.channel = channel
        self.group = group
        self.port = port
    }

    /// - Parameters:
    ///   - settings: what the server's first SETTINGS say; `nil`: the script sends what comes first.
    ///   - script: called on the connection's event loop for everything that a client does.
    static func start(
        _ identity: TestAuthority.Issued, port: Int = 0, settings: HTTP2Settings? = [],
        protocols: [String] = ["h2"], clientRoots: String? = nil, script: @escaping Script
    ) async throws -> FrameServer {
        var tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMBytes(Array(identity.certificatePEM.utf8))
                .map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(identity.keyPEM.utf8), format: .pem)))
        tls.applicationProtocols = protocols
        if let clientRoots {
            tls.certificateVerification = .noHostnameVerification
            tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(clientRoots.utf8)))
        }
        let context = try NIOSSLContext(configuration: tls)
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let box = ConnectionList()
        let channel = try await ServerBootstrap(group: group)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handler = FrameServerHandler(script: script, settings: settings)
                    handler.onOpen = { box.add($0) }
                    try channel.pipeline.syncOperations.addHandlers([
                        NIOSSLServerHandler(context: context),
                        NIOHTTP2Handler(mode: .server, initialSettings: settings ?? []),
                        handler,
                    ])
                }
            }
            .bind(host: "127.0.0.1", port: port).get()
        let server = FrameServer(channel: channel, group: group, port: channel.localAddress?.port ?? 0)
        box.server = server
        return server
    }

    func stop() async throws {
        try await channel.close()
        for connection in connections.withLock({ $0 }) { connection.close() }
        try await group.shutdownGracefully()
    }

    private final class ConnectionList: @unchecked Sendable {
        // `@unchecked`: set once, before the first connection can be made, since the port is not known earlier.
        weak var server: FrameServer?
        func add(_ connection: Connection) { server?.connections.withLock { $0.append(connection) } }
    }

    /// One client's connection, as the script sees it.
    final class Connection: Sendable {
        private let channel: any Channel
        init(channel: any Channel) { self.channel = channel }

        func send(_ stream: HTTP2StreamID, _ payload: HTTP2Frame.FramePayload) {
            channel.writeAndFlush(HTTP2Frame(streamID: stream, payload: payload), promise: nil)
        }

        /// 200, as APNs answers.
        func accept(_ stream: HTTP2StreamID, headers: [(String, String)] = []) {
            send(stream, .headers(.init(headers: HPACKHeaders([(":status", "200")] + headers), endStream: true)))
        }

        func refuse(_ stream: HTTP2StreamID, status: Int, body: String, headers: [(String, String)] = []) {
            send(stream, .headers(.init(headers: HPACKHeaders([(":status", String(status))] + headers))))
            send(stream, .data(.init(data: .byteBuffer(ByteBuffer(string: body)), endStream: true)))
        }

        /// RST_STREAM with NO_ERROR, past the HTTP/2 handler, which would not send it for a stream that has ended.
        func sendRaw(reset stream: HTTP2StreamID) {
            let id = UInt32(Int(stream)).bigEndian
            let idBytes = withUnsafeBytes(of: id) { Array($0) }
            let channel = channel
            channel.eventLoop.execute {
                let bytes = ByteBuffer(bytes: [0, 0, 4, 3, 0] + idBytes + [0, 0, 0, 0])
                guard let context = try? channel.pipeline.syncOperations.context(handlerType: NIOHTTP2Handler.self)
                else {
                    return
                }
                context.writeAndFlush(NIOAny(bytes), promise: nil)
            }
        }

        func ping() { send(.rootStream, .ping(HTTP2PingData(withInteger: 1), ack: false)) }

        func settings(_ settings: HTTP2Settings) { send(.rootStream, .settings(.settings(settings))) }

        func goAway(last: Int, _ code: HTTP2ErrorCode = .noError, debug: String? = nil) {
            send(
                .rootStream,
                .goAway(
                    lastStreamID: HTTP2StreamID(last), errorCode: code, opaqueData: debug.map { ByteBuffer(string: $0) }
                ))
        }

        func close() { channel.close(promise: nil) }
    }
}

private final class FrameServerHandler: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    private let script: FrameServer.Script
    private var connection: FrameServer.Connection?
    private var heads: [HTTP2StreamID: HPACKHeaders] = [:]
    private var bodies: [HTTP2StreamID: ByteBuffer] = [:]
    var onOpen: ((FrameServer.Connection) -> Void)?

    init(script: @escaping FrameServer.Script, settings: HTTP2Settings?) {
        self.script = script
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let connection = FrameServer.Connection(channel: context.channel)
        self.connection = connection
        onOpen?(connection)
    }

    func channelActive(context: ChannelHandlerContext) {
        tell(.opened)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        switch frame.payload {
        case .headers(let content):
            guard !content.endStream else {
                return tell(.request(frame.streamID, content.headers, body: ByteBuffer()))
            }
            heads[frame.streamID] = content.headers
        case .data(let content):
            guard case .byteBuffer(var bytes) = content.data else { return }
            bodies[frame.streamID, default: ByteBuffer()].writeBuffer(&bytes)
            let increment = max(1, content.data.readableBytes)
            write(context, .rootStream, .windowUpdate(windowSizeIncrement: increment))
            if !content.endStream { write(context, frame.streamID, .windowUpdate(windowSizeIncrement: increment)) }
            guard content.endStream, let head = heads.removeValue(forKey: frame.streamID) else { return }
            tell(.request(frame.streamID, head, body: bodies.removeValue(forKey: frame.streamID) ?? ByteBuffer()))
        case .rstStream: tell(.reset(frame.streamID))
        case .goAway: tell(.goAway)
        case .ping(_, ack: true): tell(.pong)
        default: break
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        tell(.closed)
        context.fireChannelInactive()
    }

    /// A server that closed here could make the kernel throw away answers that the client has not read yet.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {}

    private func tell(_ event: FrameServer.Event) {
        if let connection { script(event, connection) }
    }

    private func write(_ context: ChannelHandlerContext, _ stream: HTTP2StreamID, _ payload: HTTP2Frame.FramePayload) {
        context.writeAndFlush(wrapOutboundOut(HTTP2Frame(streamID: stream, payload: payload)), promise: nil)
    }
}
