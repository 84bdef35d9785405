import NIOCore

/// Enforces HTTP/2 rules that NIO's HTTP/2 handler does not enforce; the gate stands between the network and that handler.
///
/// - HEADERS for a stream that has ended close the connection (RFC 9113 §5.1: STREAM_CLOSED).
/// - DATA on a stream that the simulator has reset are dropped, because the sender did not know of the reset. NIO remembers only
///   the last 32 such streams, and a sender may have a thousand open. ``StreamHistory`` remembers all of them, and limits their
///   number.
/// - If the simulator decides to end the connection, the gate writes GOAWAY, and NIO does not. After its own GOAWAY, NIO would
///   treat frames that are still under way as mistakes.
/// - If NIO ends the connection because of an error, the gate writes the number of the last processed stream into NIO's GOAWAY.
/// - A frame that does not arrive completely in time closes the connection.
final class FrameGate: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    /// A violation of an HTTP/2 rule by the sender.
    struct Violation: Error, CustomStringConvertible {
        var description: String
    }

    /// Whether the simulator may refuse the sender's next stream.
    ///
    /// If `true`, the gate passes frames to NIO one by one, because each frame may change the decision about the next frame.
    var isCareful = true
    /// The highest number of a stream whose request has been processed; GOAWAY reports this number.
    var lastStream: UInt32 = 0

    private static let prefaceByteCount = 24

    private let partTimeout: TimeAmount
    private var history = StreamHistory()
    /// The number of bytes that must still arrive before the head of the next frame.
    private var skipCount = prefaceByteCount
    /// The first bytes of an incomplete frame head, which have not been passed to NIO yet.
    private var head = ByteBuffer()
    private var isDropping = false
    /// The number of bytes of dropped DATA for which the sender has not got a WINDOW_UPDATE of the connection yet.
    private var droppedByteCount = 0
    private var isOver = false
    private var isSilent = false
    private var frameCount = 0
    private var partTimer: Scheduled<Void>?
    /// The number of the frame for which ``partTimer`` runs, counted from 1; 0 for the connection preface.
    private var watchedFrame = 0
    private var context: ChannelHandlerContext?

    /// Makes a gate for a new connection.
    ///
    /// - Parameter partTimeout: the time limit for the preface, and for each frame, to arrive completely, in real time.
    init(partTimeout: TimeAmount) { self.partTimeout = partTimeout }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        watch(context: context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        partTimer?.cancel()
        self.context = nil
    }

    // MARK: - Coming in

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        var rest = whole(unwrapInboundIn(data))
        var pending = rest
        while rest.readableBytes > 0, !isOver {
            skip(&rest, pending: &pending)
            guard skipCount == 0 else { break }
            if isCareful { handOn(&pending, until: rest, context: context) }
            let start = rest
            guard let frame = StreamHistory.FrameHead(reading: &rest) else {
                handOn(&pending, until: rest, context: context)
                head = rest
                return
            }
            frameCount += 1
            skipCount = frame.length
            switch history.received(frame) {
            case .pass: break
            case .drop:
                handOn(&pending, until: start, context: context)
                pending.moveReaderIndex(to: rest.readerIndex)
                isDropping = true
                droppedByteCount += frame.length
            case .end(let code, let problem):
                handOn(&pending, until: start, context: context)
                return end(code, problem, context: context)
            }
        }
        handOn(&pending, until: rest, context: context)
    }

    /// Returns the new bytes, preceded by the first bytes of a frame head that arrived earlier and was incomplete.
    private func whole(_ bytes: ByteBuffer) -> ByteBuffer {
        guard head.readableBytes > 0 else { return bytes }
        var joined = head
        joined.writeImmutableBuffer(bytes)
        head = ByteBuffer()
        return joined
    }

    private func skip(_ rest: inout ByteBuffer, pending: inout ByteBuffer) {
        let count = min(skipCount, rest.readableBytes)
        rest.moveReaderIndex(forwardBy: count)
        skipCount -= count
        guard isDropping else { return }
        pending.moveReaderIndex(to: rest.readerIndex)
        isDropping = skipCount > 0
    }

    private func handOn(_ pending: inout ByteBuffer, until rest: ByteBuffer, context: ChannelHandlerContext) {
        let count = rest.readerIndex - pending.readerIndex
        guard count > 0, !isOver, let part = pending.readSlice(length: count) else { return }
        context.fireChannelRead(wrapInboundOut(part))
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if droppedByteCount > 0 {
            context.writeAndFlush(wrapOutboundOut(.byteBuffer(.windowUpdate(droppedByteCount))), promise: nil)
            droppedByteCount = 0
        }
        watch(context: context)
        context.fireChannelReadComplete()
    }

    /// Ends the connection with GOAWAY.
    ///
    /// Bytes that arrived earlier are still processed; later bytes are not.
    ///
    /// - Parameters:
    ///   - code: the HTTP/2 error code in the GOAWAY frame.
    ///   - problem: a description of the sender's mistake.
    ///   - context: the context of this handler.
    private func end(_ code: UInt32, _ problem: String, context: ChannelHandlerContext) {
        isOver = true
        partTimer?.cancel()
        context.fireChannelReadComplete()
        goAway(code: code, debugData: "")
        context.fireErrorCaught(Violation(description: problem))
    }

    /// Starts the timer of an incomplete frame, or stops it when the frame is complete.
    private func watch(context: ChannelHandlerContext) {
        let isPart = skipCount > 0 || head.readableBytes > 0 || history.isInHeaderBlock
        // The timer is not restarted by parts of a frame, so a frame that comes byte by byte gets no extra time.
        if isPart, partTimer != nil, watchedFrame == frameCount { return }
        partTimer?.cancel()
        partTimer = nil
        guard !isOver, isPart else { return }
        watchedFrame = frameCount
        let (loop, count) = (context.eventLoop, frameCount)
        let bound = NIOLoopBound((self, context), eventLoop: loop)
        partTimer = loop.scheduleTask(in: partTimeout) {
            let (gate, context) = bound.value
            let what = count == 0 ? "the connection preface" : "a frame, or the rest of a header block,"
            gate.end(1, "PROTOCOL_ERROR: \(what) did not come as a whole in time", context: context)
        }
    }

    /// Drops everything that comes and goes from now on, so that the connection is open and dead (``Fault/fallSilent``).
    func fallSilent() {
        isOver = true
        isSilent = true
        partTimer?.cancel()
    }

    // MARK: - Going out

    /// Sends GOAWAY after all frames that were written before.
    func goAway(code: UInt32, debugData: String) {
        guard !isSilent else { return }
        context?.writeAndFlush(
            wrapOutboundOut(.byteBuffer(.goAway(lastStream: lastStream, code: code, debugData: debugData))),
            promise: nil)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !isSilent else {
            promise?.succeed()
            return
        }
        guard case .byteBuffer(var bytes) = unwrapOutboundIn(data), let frame = bytes.soleFrame else {
            return context.write(data, promise: promise)
        }
        switch frame.type {
        case StreamHistory.FrameType.resetStream: history.reset(frame.stream)
        case StreamHistory.FrameType.goAway:
            bytes.setInteger(lastStream, at: bytes.readerIndex + StreamHistory.FrameHead.byteCount)
        default: break
        }
        context.write(wrapOutboundOut(.byteBuffer(bytes)), promise: promise)
    }
}

extension StreamHistory.FrameHead {
    fileprivate init?(reading buffer: inout ByteBuffer) {
        guard buffer.readableBytes >= Self.byteCount,
            let (high, low, type, flags, stream) =
                buffer.readMultipleIntegers(as: (UInt8, UInt16, UInt8, UInt8, UInt32).self)
        else { return nil }
        length = Int(high) << 16 | Int(low)
        self.type = type
        self.flags = flags
        self.stream = stream & 0x7FFF_FFFF
    }
}

extension ByteBuffer {
    /// The head of the buffer's only frame, if its payload has 4 or 8 bytes; otherwise `nil`.
    ///
    /// These are the lengths of RST_STREAM and GOAWAY. NIO writes each of these frames as a separate buffer.
    fileprivate var soleFrame: StreamHistory.FrameHead? {
        guard readableBytes == 13 || readableBytes == 17 else { return nil }
        var rest = self
        guard let frame = StreamHistory.FrameHead(reading: &rest), frame.length == rest.readableBytes else {
            return nil
        }
        return frame
    }

    /// Makes a GOAWAY frame (RFC 9113 §6.8).
    fileprivate static func goAway(lastStream: UInt32, code: UInt32, debugData: String) -> ByteBuffer {
        var buffer = ByteBuffer()
        let length = UInt16(8 + debugData.utf8.count)
        buffer.writeMultipleIntegers(
            UInt8(0), length, StreamHistory.FrameType.goAway, UInt8(0), UInt32(0), lastStream, code)
        buffer.writeString(debugData)
        return buffer
    }

    /// Makes a WINDOW_UPDATE frame of the connection (RFC 9113 §6.9).
    fileprivate static func windowUpdate(_ increment: Int) -> ByteBuffer {
        var buffer = ByteBuffer()
        buffer.writeMultipleIntegers(
            UInt8(0), UInt16(4), StreamHistory.FrameType.windowUpdate, UInt8(0), UInt32(0),
            UInt32(clamping: increment) & 0x7FFF_FFFF)
        return buffer
    }
}
