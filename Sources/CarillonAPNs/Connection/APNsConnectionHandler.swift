import CarillonCore
import NIOCore

/// The last handler of a connection's pipeline.
///
/// The handler passes decrypted bytes to the ``HTTP2Session``, and the session's events to the ``Pool``. It collects all frames
/// that are written during a read into one buffer, because each write costs a TLS record: a header, an authentication tag
/// and a call into BoringSSL.
final class APNsConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    let id: ConnectionID
    private let owner: ClientLoop
    private var session = HTTP2Session()
    private var context: ChannelHandlerContext?
    private var isClosing = false
    /// The earliest deadline of the requests whose frames wait for ``flushIfNeeded()``, and the clock reading that decided to send
    /// the first of them; `nil` if there are none.
    private var unflushed: (deadline: Timestamp, decided: Timestamp)?

    init(id: ConnectionID, owner: ClientLoop) {
        self.id = id
        self.owner = owner
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        flushIfNeeded()
    }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isClosing else { return }
        owner.beginBatch()
        // Before the server's frames can open a window for what is overdue.
        let waiting = session.waitingBodies
        if !waiting.isEmpty { owner.timePassed(forBodiesOn: waiting, connection: id) }
        session.append(unwrapInboundIn(data))
        do {
            while !isClosing, let event = try session.next() { tell(event) }
        } catch {
            fail(error)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        owner.endBatch()
        context.fireChannelReadComplete()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        owner.writabilityChanged(isWritable: context.channel.isWritable, connection: id)
        context.fireChannelWritabilityChanged()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        end(because: TLSAlert.sentence(of: String(describing: error)))
    }

    func channelInactive(context: ChannelHandlerContext) {
        owner.endBatch()
        owner.connectionClosed(id, why: "the connection was closed by the other side")
        context.fireChannelInactive()
    }

    private func tell(_ event: HTTP2Session.Event) {
        switch event {
        case .head(let stream, let head, let isLast):
            if isLast { forget(stream) }
            owner.received(head, isLast: isLast, connection: id, stream: stream)
        case .body(let stream, let bytes, let isLast):
            if isLast { forget(stream) }
            owner.received(bytes, isLast: isLast, connection: id, stream: stream)
        case .reset(let stream, let code):
            forget(stream)
            owner.streamWasReset(connection: id, stream: stream, code: code)
        case .settings(let streamLimit):
            owner.receivedSettings(streamLimit: streamLimit, connection: id)
        case .windowOpened(let byteCount):
            owner.receivedWindow(byteCount: byteCount, connection: id)
        case .goAway(let lastStream, let code, let debugData):
            // Prefers APNs' own reason, if the debug data has one.
            let reason = APNsErrorBody(debugData)?.reason.rawValue ?? code.description
            owner.receivedGoAway(lastStream: lastStream, reason: reason, connection: id)
        case .pong:
            owner.receivedPong(connection: id)
        }
    }

    /// Forgets an ended stream, and adds the unsent bytes of its request's body to the connection's flow-control window again.
    private func forget(_ stream: StreamID) {
        let byteCount = session.forget(stream)
        if byteCount > 0 { owner.receivedWindow(byteCount: byteCount, connection: id) }
    }

    /// Ends the connection after a protocol violation by the server, and sends the server the error code.
    private func fail(_ violation: HTTP2Violation) {
        session.goAway(violation.code)
        flushIfNeeded()
        end(because: violation.description)
    }

    /// Closes the connection, and tells the pool at once.
    ///
    /// Closing TLS takes time, and the pool must not send anything meanwhile.
    private func end(because problem: String) {
        guard !isClosing else { return }
        isClosing = true
        owner.connectionClosed(id, why: problem)
        context?.close(promise: nil)
    }
}

/// Carries out the ``Pool``'s decisions about a connection by writing HTTP/2 frames.
extension APNsConnectionHandler {
    func open(_ stream: StreamID, _ request: PendingSend, authority: String, authorization: ByteBuffer?) {
        let waiting = unflushed ?? (request.deadline, owner.now.steady)
        unflushed = (min(waiting.deadline, request.deadline), waiting.decided)
        switch request.content {
        case .notification(let notification):
            session.open(stream, notification, authority: authority, authorization: authorization)
        case .channel(let request):
            session.open(stream, request, authority: authority, authorization: authorization)
        }
    }

    func reset(_ stream: StreamID) {
        let byteCount = session.reset(stream)
        if byteCount > 0 { owner.receivedWindow(byteCount: byteCount, connection: id) }
    }

    func ping() { session.ping(UInt64(id)) }

    /// Sends GOAWAY and closes the connection.
    func close() {
        guard let context, !isClosing else { return }
        session.goAway(.noError)
        flushIfNeeded()
        isClosing = true
        context.close(promise: nil)
    }

    /// Sends the frames that were written during a read, all together at the end of the read.
    ///
    /// All requests of a read are decided by one reading of the clock. If the process stood still since then and a deadline has
    /// passed, nothing is sent and the connection ends. Later frames cannot be sent without the earlier ones, because HPACK
    /// ([RFC 7541, section 2.2](https://www.rfc-editor.org/rfc/rfc7541#section-2.2)) compresses in order.
    func flushIfNeeded() {
        let byteCount = session.outgoing.readableBytes
        guard byteCount > 0, !isClosing, let context else { return }
        if let unflushed, unflushed.deadline <= owner.steadyNow,
            owner.steadyNow - unflushed.decided >= ClientLimits.standstill
        {
            return end(because: "the process stood still for longer than its requests had time")
        }
        unflushed = nil
        let next = context.channel.allocator.buffer(capacity: min(byteCount, ClientLimits.writeBufferByteLimit))
        let written = exchange(&session.outgoing, with: next)
        context.writeAndFlush(wrapOutboundOut(written), promise: nil)
        if context.channel.isWritable { session.outgoingWasRead() }
    }
}

/// Replaces a value and returns the old one.
///
/// - Parameters:
///   - value: the variable.
///   - new: the new value.
/// - Returns: the old value.
private func exchange<Value>(_ value: inout Value, with new: Value) -> Value {
    defer { value = new }
    return value
}
