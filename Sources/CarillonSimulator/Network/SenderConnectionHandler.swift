import CarillonCore
import Logging
import NIOCore
import NIOHPACK
import NIOHTTP2

/// Handles the HTTP/2 frames of one sender's connection.
///
/// The handler exchanges frames with `NIOHTTP2Handler` directly. NIO's multiplexer, which makes an NIO channel for each stream,
/// would cost more than everything else.
final class SenderConnectionHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTP2Frame
    typealias OutboundIn = Never
    typealias OutboundOut = HTTP2Frame

    private let service: PushService
    private let gate: FrameGate
    private let logger: Logger
    private var connection: SenderConnection
    private var limits: StreamLimits
    private var idle: IdleWatch?
    /// The requests that have not arrived completely, by stream.
    private var streams: [HTTP2StreamID: IncomingRequest] = [:]
    /// The streams whose reply is delayed; the value is `true` if the reply may have a body, unlike a reply to HEAD.
    private var awaiting: [HTTP2StreamID: Bool] = [:]
    private var windows = ReceiveWindows()
    /// Whether NIOHTTP2 has just reset a stream because of a sender's mistake, and will report the mistake as an error next.
    private var hasResetStream = false
    private var resetBySender = HTTP2StreamID.rootStream
    /// The highest number of a stream whose request has been processed.
    private var lastProcessed = HTTP2StreamID.rootStream
    private var isDraining = false
    private var linger: Linger?
    private var needsFlush = false

    init(
        _ connection: SenderConnection, service: PushService, gate: FrameGate, limits: StreamLimits,
        idle: IdleWatch?, logger: Logger
    ) {
        self.connection = connection
        self.service = service
        self.gate = gate
        self.limits = limits
        self.idle = idle
        self.logger = logger
    }

    func handlerAdded(context: ChannelHandlerContext) {
        gate.isCareful = limits.mayRefuse
        if let idle { scheduleIdleCheck(after: idle.timeout, channel: context.channel) }
    }

    // MARK: - Coming in

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        linger?.sawInput()
        switch frame.payload {
        case .headers(let content): receive(content, on: frame.streamID, context: context)
        case .data(let content): receive(content, on: frame.streamID, context: context)
        case .rstStream: resetBySender = frame.streamID
        default: break
        }
    }

    private func receive(
        _ content: HTTP2Frame.FramePayload.Headers, on id: HTTP2StreamID, context: ChannelHandlerContext
    ) {
        if streams[id] == nil {
            switch limits.opened(id, openCount: streams.count + awaiting.count) {
            case .accept where !content.headers.areFreeOfOuterSpace:
                return write(.rstStream(.protocolError), on: id, context: context)
            case .accept:
                streams[id] = IncomingRequest(content.headers)
                gate.lastStream = UInt32(Int(limits.lastStreamID))
            case .refuse: return write(.rstStream(.refusedStream), on: id, context: context)
            case .ignore: return
            }
        }
        if content.endStream { complete(id, context: context) }
    }

    private func receive(
        _ content: HTTP2Frame.FramePayload.Data, on id: HTTP2StreamID, context: ChannelHandlerContext
    ) {
        guard case .byteBuffer(var bytes) = content.data, streams[id] != nil else { return }
        streams[id]?.append(&bytes)
        if content.endStream { complete(id, context: context) }
    }

    private func openWindows(context: ChannelHandlerContext) {
        for (id, increment) in windows.takeDue() {
            if id != .rootStream {
                // The window of a request that has ended stays closed.
                guard let request = streams[id] else { continue }
                guard request.payloadByteCount <= SimulatorLimits.bodyByteLimit else {
                    streams[id] = nil
                    write(.rstStream(.enhanceYourCalm), on: id, context: context)
                    continue
                }
            }
            write(.windowUpdate(windowSizeIncrement: increment), on: id, context: context)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case let event as NIOHTTP2WindowUpdatedEvent:
            windows.changed(event.inboundWindowSize, of: event.streamID)
        case let event as StreamClosedEvent:
            hasResetStream = event.reason != nil && event.streamID != resetBySender
            streams[event.streamID] = nil
            awaiting[event.streamID] = nil
            closeIfDrained(context: context)
        default: break
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        hasResetStream = false
        openWindows(context: context)
        flushIfNeeded(context: context)
        closeIfDrained(context: context)
        context.fireChannelReadComplete()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if !error.isEndOfConnection { journal(.violation("\(error)")) }
        // An error of a stream has been answered with RST_STREAM. Every other error ends the connection. The type of the error
        // does not distinguish the two.
        guard !hasResetStream else { return hasResetStream = false }
        logger.debug("closing after a violation", metadata: ["connection": "\(connection.number)"])
        context.close(promise: nil)
    }

    // MARK: - Deciding and answering

    private func complete(_ id: HTTP2StreamID, context: ChannelHandlerContext) {
        guard let request = streams.removeValue(forKey: id) else { return }
        idle?.sawActivity(at: service.clock.uptime)
        let reply = service.reply(to: request, on: &connection)
        if reply.ending.isProcessed { lastProcessed = max(lastProcessed, id) }
        let withBody = request.head.method != "HEAD"
        // Adjusts limits before the answer, because a sender that has read the answer may rely on the new limit.
        adjustLimits(after: reply, context: context)
        if let due = reply.due {
            awaiting[id] = withBody
            schedule(reply.ending, at: due, on: id, channel: context.channel)
        } else {
            end(id, reply.ending, withBody: withBody, context: context)
        }
        if limits.hasLostPatience { drain(nil, context: context) }
        if let goAway = reply.goAway { drain(goAway.reason, context: context) }
        if let plan = service.faults.connectionPlan, let every = plan.goAwayEvery,
            limits.countRequest(goAwayEvery: every)
        {
            drain(plan.goAwayReason, context: context)
        }
    }

    private func schedule(_ ending: Reply.Ending, at due: Timestamp, on id: HTTP2StreamID, channel: any Channel) {
        _ = service.clock.schedule(at: due) {
            channel.triggerUserOutboundEvent(ConnectionCommand.reply(id, ending), promise: nil)
        }
    }

    private func adjustLimits(after reply: Reply, context: ChannelHandlerContext) {
        let plan = service.faults.connectionPlan
        let strictness = plan?.patience.map { limits.count(isRejection: reply.isRejection, patience: $0) }
        defer { gate.isCareful = limits.mayRefuse }
        let hasFailed =
            strictness == .slow || (plan?.limitsStreamsAfterRejection == true && reply.isCredentialRejection)
        if let limit = limits.adjust(hasProvenItself: connection.credential.hasProvenItself, hasFailed: hasFailed) {
            write(.settings(.settings([.init(parameter: .maxConcurrentStreams, value: limit)])), context: context)
        }
    }

    private func end(
        _ id: HTTP2StreamID, _ ending: Reply.Ending, withBody: Bool, context: ChannelHandlerContext
    ) {
        switch ending {
        case .answer(let answer):
            for frame in answer.frames(withBody: withBody) { write(frame, on: id, context: context) }
        case .silence: break
        case .reset(let code):
            write(.rstStream(HTTP2ErrorCode(networkCode: Int(code))), on: id, context: context)
        case .cut: context.close(promise: nil)
        case .fallSilent: gate.fallSilent()
        case .goAway: leaveUnprocessed(id, context: context)
        }
    }

    /// Ends the connection with a GOAWAY that excludes a request and all later ones.
    private func leaveUnprocessed(_ id: HTTP2StreamID, context: ChannelHandlerContext) {
        // A GOAWAY cannot exclude a stream before one that was processed, or one that an earlier GOAWAY has included.
        guard !isDraining, id > lastProcessed else {
            write(.rstStream(.refusedStream), on: id, context: context)
            return drain(nil, context: context)
        }
        streams = streams.filter { $0.key <= lastProcessed }
        gate.lastStream = UInt32(Int(lastProcessed))
        drain(nil, context: context)
    }

    private func write(
        _ payload: HTTP2Frame.FramePayload, on id: HTTP2StreamID = .rootStream, context: ChannelHandlerContext
    ) {
        needsFlush = true
        context.write(wrapOutboundOut(HTTP2Frame(streamID: id, payload: payload)), promise: nil)
        // If a stream was reset during this write, this handler has reset it itself.
        hasResetStream = false
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
        case .goAway(let reason): goAway(reason, context: context)
        case .drain(let reason): drain(reason, context: context)
        case .limitStreams(let limit):
            let shown = limits.limit(to: limit)
            write(.settings(.settings([.init(parameter: .maxConcurrentStreams, value: shown)])), context: context)
        case .checkIdleness: checkIdleness(context: context)
        case .reply(let id, let ending):
            // A stream that was reset meanwhile gets no reply.
            if let withBody = awaiting.removeValue(forKey: id) {
                end(id, ending, withBody: withBody, context: context)
            }
        }
        flushIfNeeded(context: context)
        closeIfDrained(context: context)
        promise?.succeed()
    }

    private func checkIdleness(context: ChannelHandlerContext) {
        // An incomplete request does not keep the connection open.
        let isBusy = !awaiting.isEmpty
        switch idle?.verdict(isBusy: isBusy, at: service.clock.uptime) {
        case .expired: drain(.idleTimeout, context: context)
        case .lookAgain(let time): scheduleIdleCheck(after: time, channel: context.channel)
        case nil: break
        }
    }

    private func scheduleIdleCheck(after time: Duration, channel: any Channel) {
        _ = service.clock.schedule(after: time) {
            channel.triggerUserOutboundEvent(ConnectionCommand.checkIdleness, promise: nil)
        }
    }

    private func goAway(_ reason: RejectionReason?, context: ChannelHandlerContext) {
        // Flushes first, because GOAWAY would overtake the bodies of answers, and some senders read nothing after it.
        context.flush()
        gate.goAway(code: 0, debugData: reason.map { #"{"reason":"\#($0.rawValue)"}"# } ?? "")
        limits.refuseFurther()
        journal(.goAway(reason))
    }

    private func drain(_ reason: RejectionReason?, context: ChannelHandlerContext) {
        guard !isDraining else { return }
        isDraining = true
        goAway(reason, context: context)
    }

    private func closeIfDrained(context: ChannelHandlerContext) {
        guard isDraining, linger == nil, streams.isEmpty, awaiting.isEmpty else { return }
        flushIfNeeded(context: context)
        linger = Linger(closing: context.channel)
    }

    private func journal(_ kind: ConnectionEvent.Kind) {
        service.journal.append(
            .connection(ConnectionEvent(connection: connection.number, kind: kind)), at: service.clock.now)
    }
}
