import NIOCore
import NIOPosix
import NIOSSL
import Synchronization
import TestSupport

/// A TLS server that says a few bytes to whoever comes, and nothing more: for openings that no HTTP/2 library writes.
final class RawServer: Sendable {
    /// GOAWAY with last stream 0 and NO_ERROR, [RFC 9113 §6.8](https://www.rfc-editor.org/rfc/rfc9113#section-6.8).
    static let goAwayFrame: [UInt8] = [0, 0, 8, 7, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, 0]

    let port: Int
    private let channel: any Channel
    private let group: MultiThreadedEventLoopGroup
    private let counter: Mutex<Int>

    var connectionCount: Int { counter.withLock { $0 } }

    private init(channel: any Channel, group: MultiThreadedEventLoopGroup) {
        self.channel = channel
        self.group = group
        port = channel.localAddress?.port ?? 0
        counter = Mutex(0)
    }

    static func start(_ identity: TestAuthority.Issued, first bytes: [UInt8]) async throws -> RawServer {
        var tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMBytes(Array(identity.certificatePEM.utf8))
                .map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(identity.keyPEM.utf8), format: .pem)))
        tls.applicationProtocols = ["h2"]
        let context = try NIOSSLContext(configuration: tls)
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let box = Box()
        let channel = try await ServerBootstrap(group: group)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers([
                        NIOSSLServerHandler(context: context), Opening(bytes: bytes),
                    ])
                    box.server?.counter.withLock { $0 += 1 }
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let server = RawServer(channel: channel, group: group)
        box.server = server
        return server
    }

    func stop() async throws {
        try await channel.close()
        try await group.shutdownGracefully()
    }

    private final class Box: @unchecked Sendable {
        // `@unchecked`: set once, before the first connection can be made, since the port is not known earlier.
        weak var server: RawServer?
    }

    private final class Opening: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer
        private let bytes: [UInt8]

        init(bytes: [UInt8]) { self.bytes = bytes }

        func channelActive(context: ChannelHandlerContext) {
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {}

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}
