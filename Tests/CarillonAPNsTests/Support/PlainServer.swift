import NIOCore
import NIOPosix
import Synchronization

/// A server that speaks neither TLS nor HTTP: it says what it is told to, or nothing.
final class PlainServer: Sendable {
    let port: Int
    /// An element for each connection on which a client has said something.
    let heard: AsyncStream<Void>
    private let channel: any Channel
    private let group: MultiThreadedEventLoopGroup
    private let counter: Counter

    /// The number of bytes that all clients have sent.
    var byteCount: Int { counter.bytes.withLock { $0 } }

    private final class Counter: Sendable {
        let bytes = Mutex(0)
    }

    private init(
        _ channel: any Channel, _ group: MultiThreadedEventLoopGroup, _ heard: AsyncStream<Void>, _ counter: Counter
    ) {
        self.channel = channel
        self.group = group
        self.heard = heard
        self.counter = counter
        port = channel.localAddress?.port ?? 0
    }

    /// - Parameters:
    ///   - host: the address of this machine to listen on.
    ///   - port: the port; 0 for a free one.
    ///   - greeting: the bytes for each client that connects.
    ///   - reply: the bytes for each client that has said something.
    static func start(
        host: String = "127.0.0.1", port: Int = 0, greeting: String = "", reply: String = ""
    ) async throws -> PlainServer {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let (heard, continuation) = AsyncStream.makeStream(of: Void.self)
        let counter = Counter()
        let channel = try await ServerBootstrap(group: group)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        Speaker(greeting: greeting, reply: reply, counter: counter) { continuation.yield() })
                }
            }
            .bind(host: host, port: port).get()
        return PlainServer(channel, group, heard, counter)
    }

    func stop() async throws {
        try await channel.close()
        try await group.shutdownGracefully()
    }

    private final class Speaker: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let greeting: String
        private let reply: String
        private let counter: Counter
        private let onFirst: @Sendable () -> Void
        private var hasHeard = false

        init(greeting: String, reply: String, counter: Counter, onFirst: @escaping @Sendable () -> Void) {
            self.greeting = greeting
            self.reply = reply
            self.counter = counter
            self.onFirst = onFirst
        }

        func channelActive(context: ChannelHandlerContext) { say(greeting, context) }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let count = unwrapInboundIn(data).readableBytes
            counter.bytes.withLock { $0 += count }
            guard !hasHeard else { return }
            hasHeard = true
            say(reply, context)
            onFirst()
        }

        private func say(_ text: String, _ context: ChannelHandlerContext) {
            if !text.isEmpty { context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil) }
        }
    }
}
