import CarillonCore
import Logging
import NIOCore
import NIOHPACK
import NIOHTTP2

/// One sender's connection. It speaks HTTP/2 frames with `NIOHTTP2Handler` directly: a channel per stream, as the
/// multiplexer makes them, costs more than all the rest.
final class ConnectionHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTP2Frame
    typealias OutboundIn = Never
    typealias OutboundOut = HTTP2Frame

    /// A body may be longer than any payload and be answered with 413; at this length patience ends.
    static let bodyByteLimit = 1 << 20

    private let number: Int
    private let service: PushService
    private let logger: Logger
    private var policy: ConnectionPolicy
    private var streamLimit: Int
    private var streams: [HTTP2StreamID: IncomingRequest] = [:]
    private var lastStreamID = HTTP2StreamID.rootStream
    private var hasRaisedLimit: Bool
    private var isDraining = false
    private var needsFlush = false

    init(number: Int, service: PushService, policy: ConnectionPolicy, streamLimit: Int, logger: Logger) {
        self.number = number
        self.service = service
        self.policy = policy
        self.streamLimit = streamLimit
        self.logger = logger
        hasRaisedLimit = policy.hasProvenItself
    }

    // MARK: - Coming in

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        switch frame.payload {
        case .headers(let content): receive(content, on: frame.streamID, context: context)
        case .data(let content): receive(content, on: frame.streamID, context: context)
        case .rstStream: streams[frame.streamID] = nil
        default: break
        }
    }

    private func receive(
        _ content: HTTP2Frame.FramePayload.Headers, on id: HTTP2StreamID, context: ChannelHandlerContext
    ) {
        if streams[id] == nil {
            lastStreamID = max(lastStreamID, id)
            // A sender may not have seen the limit when it opened the stream, so it is the stream that is refused
            // (RFC 9113 §5.1.2), not the connection.
            guard policy.hasProvenItself || streams.isEmpty else {
                return write(.rstStream(.refusedStream), on: id, context: context)
            }
            streams[id] = IncomingRequest(content.headers)
        }
        if content.endStream { complete(id, context: context) }
    }

    private func receive(
        _ content: HTTP2Frame.FramePayload.Data, on id: HTTP2StreamID, context: ChannelHandlerContext
    ) {
        guard case .byteBuffer(var bytes) = content.data, streams[id] != nil else { return }
        streams[id]?.append(&bytes)
        if content.endStream { return complete(id, context: context) }
        returnWindow(of: id, context: context)
    }

    private func returnWindow(of id: HTTP2StreamID, context: ChannelHandlerContext) {
        guard let request = streams[id], request.unreturnedByteCount > FlowControl.streamWindow / 2 else { return }
        guard request.payloadByteCount <= Self.bodyByteLimit else {
            streams[id] = nil
            return write(.rstStream(.enhanceYourCalm), on: id, context: context)
        }
        streams[id]?.unreturnedByteCount = 0
        write(.windowUpdate(windowSizeIncrement: request.unreturnedByteCount), on: id, context: context)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case let event as NIOHTTP2WindowUpdatedEvent where event.streamID == .rootStream:
            if let increment = FlowControl.increment(forWindow: event.inboundWindowSize) {
                write(.windowUpdate(windowSizeIncrement: increment), on: .rootStream, context: context)
            }
        case let event as StreamClosedEvent:
            streams[event.streamID] = nil
            closeIfDrained(context: context)
        default: break
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        flushIfNeeded(context: context)
        context.fireChannelReadComplete()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        service.journal.append(
            .connection(ConnectionEvent(connection: number, kind: .violation("\(error)"))), at: service.clock.now)
        // What concerns one stream has been answered with RST_STREAM; everything else ends the connection.
        guard !(error is NIOHTTP2Errors.StreamError) else { return }
        logger.debug("closing after a violation", metadata: ["connection": "\(number)", "error": "\(error)"])
        context.close(promise: nil)
    }

    // MARK: - Deciding and answering

    private func complete(_ id: HTTP2StreamID, context: ChannelHandlerContext) {
        guard let request = streams.removeValue(forKey: id) else { return }
        let answer = service.answer(request, connection: number, policy: &policy)
        if policy.hasProvenItself, !hasRaisedLimit {
            hasRaisedLimit = true
            write(.settings(.settings([.init(parameter: .maxConcurrentStreams, value: streamLimit)])), context: context)
        }
        write(answer, on: id, withBody: request.head.method != "HEAD", context: context)
    }

    private func write(
        _ answer: Answer, on id: HTTP2StreamID, withBody: Bool, context: ChannelHandlerContext
    ) {
        var headers = HPACKHeaders()
        headers.add(name: ":status", value: String(answer.status))
        headers.add(name: "apns-id", value: answer.apnsID, indexing: .nonIndexable)
        if let uniqueID = answer.uniqueID {
            headers.add(name: "apns-unique-id", value: uniqueID, indexing: .nonIndexable)
        }
        let body = withBody ? answer.body : nil
        write(.headers(.init(headers: headers, endStream: body == nil)), on: id, context: context)
        if let body {
            write(.data(.init(data: .byteBuffer(ByteBuffer(string: body)), endStream: true)), on: id, context: context)
        }
    }

    private func write(
        _ payload: HTTP2Frame.FramePayload, on id: HTTP2StreamID = .rootStream, context: ChannelHandlerContext
    ) {
        needsFlush = true
        context.write(wrapOutboundOut(HTTP2Frame(streamID: id, payload: payload)), promise: nil)
    }

    private func flushIfNeeded(context: ChannelHandlerContext) {
        guard needsFlush else { return }
        needsFlush = false
        context.flush()
    }

    // MARK: - Commands

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard let command = event as? ConnectionCommand else {
            return context.triggerUserOutboundEvent(event, promise: promise)
        }
        switch command {
        case .goAway(let reason):
            goAway(reason, context: context)
        case .drain(let reason):
            goAway(reason, context: context)
            isDraining = true
        case .limitStreams(let limit):
            streamLimit = limit
            write(.settings(.settings([.init(parameter: .maxConcurrentStreams, value: limit)])), context: context)
        }
        flushIfNeeded(context: context)
        closeIfDrained(context: context)
        promise?.succeed()
    }

    private func goAway(_ reason: RejectionReason?, context: ChannelHandlerContext) {
        let debugData = reason.map { ByteBuffer(string: #"{"reason":"\#($0.rawValue)"}"#) }
        write(
            .goAway(lastStreamID: lastStreamID, errorCode: .noError, opaqueData: debugData), context: context)
        service.journal.append(
            .connection(ConnectionEvent(connection: number, kind: .goAway(reason))), at: service.clock.now)
    }

    private func closeIfDrained(context: ChannelHandlerContext) {
        guard isDraining, streams.isEmpty else { return }
        isDraining = false
        context.close(promise: nil)
    }
}
