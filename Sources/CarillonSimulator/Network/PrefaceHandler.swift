import NIOCore

/// Waits for the first bytes of a connection without TLS, and then configures it for HTTP/2.
///
/// A request of HTTP/1.1 is answered in its own words, and the connection ends. APNs speaks no HTTP/1.1, so a sender that the simulator
/// served so would pass here and fail there.
final class PrefaceHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private static let advice =
        "This is APNs: it speaks HTTP/2 only, here without TLS and with prior knowledge (curl --http2-prior-knowledge).\n"
    private static let refusal =
        "HTTP/1.1 505 HTTP Version Not Supported\r\nconnection: close\r\ncontent-type: text/plain; charset=utf-8\r\n"
        + "content-length: \(advice.utf8.count)\r\n\r\n\(advice)"
    /// The first bytes of requests of HTTP/1.1; the preface of HTTP/2 begins with `PRI `.
    private static let methods = ["POST", "GET ", "PUT ", "HEAD", "DELE", "OPTI", "PATC"]

    private let configure: (any Channel) throws -> Void
    private var bytes = ByteBuffer()
    private var timer: Scheduled<Void>?

    /// Makes a handler for a new connection, which ends if no preface comes within ``SimulatorLimits/partTimeout``.
    ///
    /// - Parameter configure: adds the further handlers to the pipeline of the connection's NIO channel.
    init(configure: @escaping (any Channel) throws -> Void) { self.configure = configure }

    func handlerAdded(context: ChannelHandlerContext) {
        let channel = context.channel
        timer = context.eventLoop.scheduleTask(in: SimulatorLimits.partTimeout) { channel.close(promise: nil) }
    }

    func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        bytes.writeImmutableBuffer(unwrapInboundIn(data))
        guard let start = bytes.getString(at: bytes.readerIndex, length: 4) else { return }
        guard !Self.methods.contains(start) else {
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: Self.refusal)), promise: nil)
            return context.close(promise: nil)
        }
        do {
            try configure(context.channel)
            context.fireChannelRead(wrapInboundOut(bytes))
            context.fireChannelReadComplete()
            context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
        } catch {
            context.close(promise: nil)
        }
    }
}
