import NIOCore

/// Hands TLS one buffer a flush: HTTP/2 writes each frame header and each body by itself, and every write becomes a
/// TLS record of its own, with its own header, authentication tag and call into BoringSSL.
final class JoinedFlushHandler: ChannelOutboundHandler {
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    /// A buffer that has grown beyond this is given back rather than kept.
    static let keptByteLimit = 256 * 1024

    /// While it is set, flushes from above pass nothing on: what is written is joined further.
    var isHolding = false

    private var joined = ByteBuffer()
    private var promises: EventLoopPromise<Void>?
    private var context: ChannelHandlerContext?

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .byteBuffer(var buffer):
            joined.writeBuffer(&buffer)
            keep(promise)
        case .fileRegion:
            writeJoined(context)
            context.write(data, promise: promise)
        }
    }

    func flush(context: ChannelHandlerContext) {
        guard !isHolding else { return }
        writeJoined(context)
        context.flush()
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        writeJoined(context)
        context.close(mode: mode, promise: promise)
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    /// Writes out what was held.
    func flushHeld() {
        guard let context, joined.readableBytes > 0 else { return }
        flush(context: context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        promises?.fail(ChannelError.ioOnClosedChannel)
        promises = nil
    }

    private func keep(_ promise: EventLoopPromise<Void>?) {
        guard let promise else { return }
        if let promises { promises.futureResult.cascade(to: promise) } else { promises = promise }
    }

    private func writeJoined(_ context: ChannelHandlerContext) {
        guard joined.readableBytes > 0 else { return }
        let promise = promises
        promises = nil
        let isLarge = joined.capacity > Self.keptByteLimit
        let buffer = joined
        joined = isLarge ? ByteBuffer() : context.channel.allocator.buffer(capacity: max(joined.capacity, 4096))
        context.write(wrapOutboundOut(.byteBuffer(buffer)), promise: promise)
    }
}
