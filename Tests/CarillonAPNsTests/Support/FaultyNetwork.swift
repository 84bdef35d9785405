import NIOCore
import NIOPosix
import Synchronization

/// The network between a client and a server, which can be slow, cut connections with a TCP reset, and refuse TLS.
final class FaultyNetwork: Sendable {
    /// A fatal alert, handshake_failure: [RFC 8446 §6](https://www.rfc-editor.org/rfc/rfc8446#section-6).
    private static let refusal: [UInt8] = [0x15, 3, 3, 0, 2, 2, 40]

    let port: Int
    private let listener: any Channel
    private let group: MultiThreadedEventLoopGroup
    private let state: State

    /// The state that the connections share.
    fileprivate final class State: Sendable {
        private struct Values {
            var refusals = 0
            var refused = 0
            var isSlow = false
            var clients: [ObjectIdentifier: any Channel] = [:]
        }

        private let values = Mutex(Values())

        var isSlow: Bool {
            get { values.withLock(\.isSlow) }
            set { values.withLock { $0.isSlow = newValue } }
        }
        var refused: Int { values.withLock(\.refused) }
        var clients: [any Channel] { values.withLock { Array($0.clients.values) } }

        func refuse(_ count: Int) { values.withLock { $0.refusals = count } }

        func mustRefuse() -> Bool {
            values.withLock { values in
                guard values.refusals > 0 else { return false }
                values.refusals -= 1
                values.refused += 1
                return true
            }
        }

        func opened(_ channel: any Channel) { values.withLock { $0.clients[ObjectIdentifier(channel)] = channel } }
        func closed(_ channel: any Channel) { values.withLock { $0.clients[ObjectIdentifier(channel)] = nil } }
    }

    private init(listener: any Channel, group: MultiThreadedEventLoopGroup, state: State) {
        self.listener = listener
        self.group = group
        self.state = state
        port = listener.localAddress?.port ?? 0
    }

    static func start(to server: Int) async throws -> FaultyNetwork {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let state = State()
        let listener = try await ServerBootstrap(group: group)
            .childChannelOption(.autoRead, value: false)
            .childChannelInitializer { client in
                guard !state.mustRefuse() else {
                    return client.eventLoop.makeCompletedFuture {
                        try client.pipeline.syncOperations.addHandler(Refusal())
                    }
                }
                state.opened(client)
                client.closeFuture.whenComplete { _ in state.closed(client) }
                return ClientBootstrap(group: client.eventLoop)
                    .channelOption(.autoRead, value: false)
                    .connect(host: "127.0.0.1", port: server)
                    .flatMapThrowing { server in
                        try client.pipeline.syncOperations.addHandler(Relay(to: server, state))
                        try server.pipeline.syncOperations.addHandler(Relay(to: client, state))
                        server.read()
                    }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return FaultyNetwork(listener: listener, group: group, state: state)
    }

    func stop() async throws {
        try await listener.close()
        for client in state.clients { client.close(promise: nil) }
        try await group.shutdownGracefully()
    }

    /// The next connections are refused in the TLS handshake.
    func refuse(_ count: Int) { state.refuse(count) }

    /// The number of refused connections so far.
    var refused: Int { state.refused }

    /// Whether bytes trickle, both ways: nobody's answer is read at once.
    var isSlow: Bool {
        get { state.isSlow }
        set { state.isSlow = newValue }
    }

    /// Ends every connection with a TCP reset, in the middle of whatever is under way.
    func reset() {
        for client in state.clients {
            guard let socket = client as? any SocketOptionProvider else { continue }
            socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenComplete { _ in client.close(promise: nil) }
        }
    }

    private final class Refusal: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        func channelActive(context: ChannelHandlerContext) {
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: refusal)), promise: nil)
            context.close(promise: nil)
        }
    }

    /// Hands on what one side says, and reads more when it has gone.
    private final class Relay: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let other: any Channel
        private let state: State

        init(to other: any Channel, _ state: State) {
            self.other = other
            self.state = state
        }

        func handlerAdded(context: ChannelHandlerContext) {
            if context.channel.isActive { context.read() }
        }

        func channelActive(context: ChannelHandlerContext) {
            context.read()
            context.fireChannelActive()
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let channel = context.channel
            let pause = state.isSlow ? TimeAmount.milliseconds(2) : nil
            other.writeAndFlush(unwrapInboundIn(data)).whenComplete { _ in
                if let pause {
                    channel.eventLoop.scheduleTask(in: pause) { channel.read() }
                } else {
                    channel.read()
                }
            }
        }

        func channelInactive(context: ChannelHandlerContext) { other.close(promise: nil) }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}
