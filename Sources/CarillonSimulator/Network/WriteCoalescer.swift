import NIOCore

/// Joins everything written between two flushes into one buffer.
///
/// TLS then makes one record of the buffer, instead of one record for each part of a frame.
final class WriteCoalescer: ChannelOutboundHandler {
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    private var joined = ByteBuffer()
    private var promises: [EventLoopPromise<Void>] = []

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .byteBuffer(var buffer):
            if let promise { promises.append(promise) }
            joined.writeBuffer(&buffer)
            if joined.readableBytes >= SimulatorLimits.joinedWriteByteLimit { passOn(context: context) }
        case .fileRegion:
            passOn(context: context)
            context.write(data, promise: promise)
        }
    }

    func flush(context: ChannelHandlerContext) {
        passOn(context: context)
        context.flush()
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        passOn(context: context)
        context.close(mode: mode, promise: promise)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        for promise in promises { promise.fail(ChannelError.ioOnClosedChannel) }
        promises = []
    }

    private func passOn(context: ChannelHandlerContext) {
        guard joined.readableBytes > 0 else { return }
        let waiting = promises
        let promise: EventLoopPromise<Void>? = waiting.isEmpty ? nil : context.eventLoop.makePromise()
        promise?.futureResult.whenComplete { result in
            for promise in waiting { promise.completeWith(result) }
        }
        context.write(wrapOutboundOut(.byteBuffer(joined)), promise: promise)
        joined = ByteBuffer()
        promises = []
    }
}
