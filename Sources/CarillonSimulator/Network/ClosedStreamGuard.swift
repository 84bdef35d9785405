import NIOCore

/// Reads the heads of the frames on their way to NIO's HTTP/2 handler, changes nothing, and ends the connection when
/// HEADERS come for a stream that is over (RFC 9113 §5.1: STREAM_CLOSED).
final class ClosedStreamGuard: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = IOData

    /// A sender broke the rule.
    struct Violation: Error, CustomStringConvertible {
        var stream: UInt32
        var description: String { "STREAM_CLOSED: HEADERS on stream \(stream), which is over" }
    }

    private static let prefaceByteCount = 24

    private var history = StreamHistory()
    /// Bytes until the next frame's head.
    private var skipCount = prefaceByteCount
    /// The beginning of a head whose end has not come yet.
    private var head = ByteBuffer()
    private var isOver = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        let bytes = unwrapInboundIn(data)
        var rest = bytes
        while rest.readableBytes > 0 {
            let skipped = min(skipCount, rest.readableBytes)
            rest.moveReaderIndex(forwardBy: skipped)
            skipCount -= skipped
            guard skipCount == 0, let frame = nextHead(in: &rest) else { break }
            skipCount = frame.length
            guard !history.isLate(frame) else { return end(bytes, at: rest, frame.stream, context: context) }
        }
        context.fireChannelRead(data)
    }

    /// - Returns: `nil` until the head is whole.
    private func nextHead(in rest: inout ByteBuffer) -> StreamHistory.FrameHead? {
        if head.readableBytes == 0, let frame = StreamHistory.FrameHead(reading: &rest) { return frame }
        let missing = StreamHistory.FrameHead.byteCount - head.readableBytes
        guard var part = rest.readSlice(length: min(missing, rest.readableBytes)) else { return nil }
        head.writeBuffer(&part)
        guard let frame = StreamHistory.FrameHead(reading: &head) else { return nil }
        head.clear()
        return frame
    }

    /// What came before the frame is still processed, nothing after it.
    private func end(_ bytes: ByteBuffer, at rest: ByteBuffer, _ stream: UInt32, context: ChannelHandlerContext) {
        isOver = true
        let count = rest.readerIndex - StreamHistory.FrameHead.byteCount - bytes.readerIndex
        // A head of which a part came earlier begins before these bytes; that part is a frame to nobody.
        if count > 0, let before = bytes.getSlice(at: bytes.readerIndex, length: count) {
            context.fireChannelRead(wrapInboundOut(before))
        }
        context.fireChannelReadComplete()
        context.writeAndFlush(wrapOutboundOut(.byteBuffer(.goAway(lastStream: history.highest, code: 5))), promise: nil)
        context.fireErrorCaught(Violation(stream: stream))
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
    /// A GOAWAY frame (RFC 9113 §6.8), past NIO's handler, which allows only what it has decided itself.
    fileprivate static func goAway(lastStream: UInt32, code: UInt32) -> ByteBuffer {
        var buffer = ByteBuffer()
        buffer.writeMultipleIntegers(UInt8(0), UInt16(8), UInt8(7), UInt8(0), UInt32(0), lastStream, code)
        return buffer
    }
}
