import CarillonCore
import NIOCore
import NIOHPACK
import NIOHTTP2

/// Turns HTTP/2 frames into events of the pool and the pool's actions into frames. There is no channel per stream: an
/// answer of APNs is one or two frames, and the pool keeps what there is to keep.
final class ConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    /// The receive window of a connection, [RFC 9113 §6.9.2](https://www.rfc-editor.org/rfc/rfc9113#section-6.9.2).
    /// It is opened again when half of it is used up, not at every answer.
    static let windowByteCount = 65_535

    private let id: ConnectionID
    private let owner: ClientLoop
    private let joined: JoinedFlushHandler
    private var context: ChannelHandlerContext?
    private var consumedByteCount = 0
    private var hasUnflushedWrites = false
    private var trouble: String?

    init(id: ConnectionID, owner: ClientLoop, joined: JoinedFlushHandler) {
        self.id = id
        self.owner = owner
        self.joined = joined
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        owner.beginBatch()
        let frame = unwrapInboundIn(data)
        let stream = StreamID(frame.streamID)
        switch frame.payload {
        case .headers(let content):
            owner.received(APNsAnswerHead(content.headers), isLast: content.endStream, connection: id, stream: stream)
        case .data(let content):
            received(content, on: stream)
        case .rstStream(let code):
            owner.streamWasReset(
                connection: id, stream: stream, wasRefused: code == .refusedStream, code: String(describing: code))
        case .settings(.settings(let settings)):
            let limit = settings.last { $0.parameter == .maxConcurrentStreams }.map { Int($0.value) }
            owner.receivedSettings(streamLimit: limit, connection: id)
        case .goAway(let lastStream, let code, let debugData):
            owner.receivedGoAway(
                lastStream: StreamID(lastStream), reason: Self.reason(code, debugData), connection: id)
        case .ping(_, ack: true):
            owner.receivedPong(connection: id)
        case .windowUpdate(let byteCount):
            if frame.streamID == .rootStream { owner.receivedWindow(byteCount: byteCount, connection: id) }
        case .ping, .settings, .priority, .pushPromise, .alternativeService, .origin:
            break
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        openWindowAgain(context)
        owner.endBatch()
        context.fireChannelReadComplete()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        owner.writabilityChanged(isWritable: context.channel.isWritable, connection: id)
        context.fireChannelWritabilityChanged()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A stream's error is not the connection's: the stream is reset by the HTTP/2 handler, and its end is told
        // below as an event.
        if error is NIOHTTP2Errors.StreamError || error is NIOHTTP2Errors.NoSuchStream { return }
        trouble = trouble ?? String(describing: error)
        context.close(promise: nil)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // The type is compared first: a failed cast costs a look-up, and most events are others.
        if type(of: event) == StreamClosedEvent.self, let closed = event as? StreamClosedEvent, let code = closed.reason
        {
            // Streams that the HTTP/2 handler itself gave up; the pool has forgotten all others by now.
            owner.streamWasReset(
                connection: id, stream: StreamID(closed.streamID), wasRefused: false, code: String(describing: code))
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        owner.endBatch()
        owner.connectionClosed(id, why: trouble ?? "the connection was closed by the other side")
        context.fireChannelInactive()
    }

    private func received(_ content: HTTP2Frame.FramePayload.Data, on stream: StreamID) {
        guard case .byteBuffer(let bytes) = content.data else { return }
        consumedByteCount += bytes.readableBytes + (content.paddingBytes.map { $0 + 1 } ?? 0)
        owner.received(bytes, isLast: content.endStream, connection: id, stream: stream)
    }

    private func openWindowAgain(_ context: ChannelHandlerContext) {
        guard consumedByteCount > Self.windowByteCount / 2 else { return }
        write(HTTP2Frame(streamID: .rootStream, payload: .windowUpdate(windowSizeIncrement: consumedByteCount)))
        consumedByteCount = 0
    }

    /// The error code by name, or APNs' own reason if the debug data has one.
    private static func reason(_ code: HTTP2ErrorCode, _ debugData: ByteBuffer?) -> String {
        debugData.flatMap(APNsRefusal.init)?.reason.rawValue ?? String(describing: code)
    }
}

/// What the pool wants written.
extension ConnectionHandler {
    func open(_ stream: StreamID, headers: HPACKHeaders, body: ByteBuffer) {
        let streamID = HTTP2StreamID(stream)
        write(HTTP2Frame(streamID: streamID, payload: .headers(.init(headers: headers))))
        write(HTTP2Frame(streamID: streamID, payload: .data(.init(data: .byteBuffer(body), endStream: true))))
        keepOrder()
    }

    /// NIO sends the bodies that wait for a flush in the order of a hash table. Requests would then be complete, and be
    /// answered, in any order, and each answer would cost a search and a shift in its tables of up to 1000 streams.
    /// A flush a request, of which nothing is passed on to TLS yet, keeps the order of the requests.
    private func keepOrder() {
        joined.isHolding = true
        context?.flush()
        joined.isHolding = false
    }

    func reset(_ stream: StreamID) {
        write(HTTP2Frame(streamID: HTTP2StreamID(stream), payload: .rstStream(.cancel)))
    }

    func ping() {
        write(HTTP2Frame(streamID: .rootStream, payload: .ping(HTTP2PingData(withInteger: UInt64(id)), ack: false)))
    }

    /// GOAWAY, then the end of the connection.
    func close() {
        guard let context else { return }
        write(
            HTTP2Frame(
                streamID: .rootStream,
                payload: .goAway(lastStreamID: .rootStream, errorCode: .noError, opaqueData: nil)))
        flushIfNeeded()
        context.close(promise: nil)
    }

    private func write(_ frame: HTTP2Frame) {
        guard let context else { return }
        hasUnflushedWrites = true
        context.write(wrapOutboundOut(frame), promise: nil)
    }

    /// What was written while frames are read goes out together, when the read is complete.
    func flushIfNeeded() {
        guard hasUnflushedWrites, let context else { return }
        hasUnflushedWrites = false
        context.flush()
        joined.flushHeld()
    }
}

extension APNsAnswerHead {
    /// `nil` for a block without a status, such as trailers.
    init?(_ headers: HPACKHeaders) {
        var status: Int?
        var apnsID: String?
        var uniqueID: String?
        for (name, value, _) in headers {
            switch name {
            case ":status": status = Int(value)
            case "apns-id": apnsID = value
            case "apns-unique-id": uniqueID = value
            default: break
            }
        }
        guard let status else { return nil }
        self.init(status: status, apnsID: apnsID, uniqueID: uniqueID)
    }
}
